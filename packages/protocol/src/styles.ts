/**
 * What a part of a text is; the client decides how that looks. Closed, so that nothing a server sends, and no name in
 * it, can become anything but one of these.
 */
export const styles = ["head", "folder", "match", "good", "warn", "bad", "cmd"] as const;
export type Style = (typeof styles)[number];

/** Plain text, or a style and its text. A style that the reader does not know is plain. */
export type Run = string | [style: string, text: string];
