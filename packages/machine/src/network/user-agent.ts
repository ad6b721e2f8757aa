/** As every server sees it. */
export function userAgent(product: string, version: string): string {
  return `${product}/${version} (${process.platform}-${process.arch})`;
}
