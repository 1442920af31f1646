import type { Category, Product, Review } from './catalogue.ts';
import type { SearchTerms } from './search-terms.ts';

export type StoreLocation = { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string };

export type LatestReview = Review & { model_name: string; category_id: number };

type Search = SearchTerms & {
  /** Id of a category; 0 for all. */
  category: number;
  limit: number;
};

/** `hits` counts all that match; `products` are the first of them, the most sold first. */
type SearchResult = { products: Product[]; hits: number };

/** The database of the shop as the pages see it: one method a procedure. */
export type Store = {
  productCategoryList(): Promise<Category[]>;
  productsMostPopular(limit: number): Promise<Product[]>;
  reviewsLatest(limit: number): Promise<LatestReview[]>;
  productSearch(search: Search): Promise<SearchResult>;
  close(): Promise<void>;
};
