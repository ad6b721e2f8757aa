/** Least nDCG@10 on judged collections. */
export const bars: Record<"fulltext" | "hybrid", Record<string, number>> = {
  fulltext: {
    scifact: 0.685,
    cranfield: 0.38,
    cisi: 0.41,
    med: 0.68,
    cacm: 0.475,
    vaswani: 0.435,
    miracl_yo: 0.47,
    xquad_de: 0.94,
    xquad_ar: 0.94,
    xquad_zh: 0.96,
    xquad_th: 0.94,
    jsquad_ja: 0.94,
    sample: 0.95,
  },
  hybrid: { scifact: 0.72, cranfield: 0.43, cisi: 0.455, med: 0.79, cacm: 0.56, sample: 0.93 },
};
