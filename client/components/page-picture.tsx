import classes from './figure.module.css';

/** What a page in a browser showed, small. @param jpeg in Base64 */
export function PagePicture({ jpeg }: { jpeg: string }) {
  return (
    <figure className={classes.figure}>
      <img src={`data:image/jpeg;base64,${jpeg}`} alt="The page at that moment" className={classes.picture} />
      <figcaption>The page at that moment</figcaption>
    </figure>
  );
}
