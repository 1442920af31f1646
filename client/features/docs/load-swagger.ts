import address from 'swagger-ui-dist/swagger-ui-bundle.js?url';

type ShowSwagger = (options: { url: string; domNode: HTMLElement; syntaxHighlight: false }) => void;

let loading: Promise<ShowSwagger> | null = null;

/** Swagger UI as its authors built it, once a visit: it is larger than the rest of the dashboard. */
export function loadSwagger(): Promise<ShowSwagger> {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.onload = () => resolve((window as unknown as { SwaggerUIBundle: ShowSwagger }).SwaggerUIBundle);
    script.onerror = () => {
      loading = null;
      reject(new Error('swagger-ui-bundle.js'));
    };
    document.head.append(script);
  });
  return loading;
}
