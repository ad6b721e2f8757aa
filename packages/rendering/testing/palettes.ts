/** The 16 colours that terminals give to programs, by default. */
const schemes = {
  xterm:
    "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff",
  GNOME:
    "171421 c01c28 26a269 a2734c 12488b a347ba 2aa1b3 d0cfcc 5e5c64 f66151 33d17a e9ad0c 2a7bde c061cb 33c7de ffffff",
  macOS:
    "000000 990000 00a600 999900 0000b2 b200b2 00a6b2 bfbfbf 666666 e50000 00d900 e5e500 0000ff e500e5 00e5e5 e5e5e5",
  Solarized:
    "073642 dc322f 859900 b58900 268bd2 d33682 2aa198 eee8d5 002b36 cb4b16 586e75 657b83 839496 6c71c4 93a1a1 fdf6e3",
};
const backgrounds: Record<keyof typeof schemes, [dark: string, light: string]> = {
  xterm: ["#000000", "#ffffff"],
  GNOME: ["#171421", "#ffffff"],
  macOS: ["#000000", "#ffffff"],
  Solarized: ["#002b36", "#fdf6e3"],
};

export const palettes = Object.entries(schemes).flatMap(([name, colours]) =>
  backgrounds[name as keyof typeof schemes].map((background, index) => ({
    name: `${name}, ${index === 0 ? "dark" : "light"}`,
    background,
    colours: colours.split(" ").map((colour) => `#${colour}`),
  })),
);
