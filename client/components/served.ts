/** Whether a server is behind the page. In a file that holds one result there is none: nothing can be loaded, started or linked. */
export const served = import.meta.env.MODE !== 'file';
