import { hostileArchives } from "./hostile-archives.ts";
import { hostileBombs } from "./hostile-bombs.ts";
import { hostileMarkup } from "./hostile-markup.ts";
import { hostilePdfs } from "./hostile-pdfs.ts";
import { hostileTexts } from "./hostile-texts.ts";
import { hostileXml } from "./hostile-xml.ts";

/** Files made to bring a reader down, each with the outcome it must have instead. */
export const hostileFiles = [
  ...hostileBombs,
  ...hostileArchives,
  ...hostileXml,
  ...hostilePdfs,
  ...hostileMarkup,
  ...hostileTexts,
];
