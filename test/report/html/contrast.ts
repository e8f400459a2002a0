import type { Page } from 'playwright-core';

/**
 * Texts on a page that stand out too little from what is behind them (WCAG 2 AA: 4.5, or 3 where they are large), a line each
 * kind. What is behind is the nearest ancestor's background that is not transparent.
 */
export async function contrastFaults(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const parse = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number);
    const luminance = (colour: number[]) => {
      const [r = 0, g = 0, b = 0] = colour.map((part) => {
        const share = part / 255;
        return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element: Element | null): number[] => {
      for (let at = element; at; at = at.parentElement) {
        const colour = parse(getComputedStyle(at).backgroundColor);
        if (colour.length === 3 || (colour[3] ?? 0) > 0.99) return colour.slice(0, 3);
      }
      return [255, 255, 255];
    };
    const faults = new Set<string>();
    for (const element of document.querySelectorAll('body *')) {
      const own = [...element.childNodes].some((node) => node.nodeType === 3 && (node.textContent ?? '').trim() !== '');
      if (!own || element.closest('script, style, [hidden]') || element.getClientRects().length === 0) continue;
      const style = getComputedStyle(element);
      const isSvg = element instanceof SVGElement;
      const colour = parse(isSvg ? style.fill : style.color).slice(0, 3);
      const back = behind(isSvg ? element.closest('svg') : element);
      const [light = 0, dark = 0] = [luminance(colour), luminance(back)].sort((a, b) => b - a);
      const ratio = (light + 0.05) / (dark + 0.05);
      const size = Number.parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (ratio < (isLarge ? 3 : 4.5)) {
        faults.add(`${element.tagName} .${element.getAttribute('class')}: ${colour} on ${back} is ${ratio.toFixed(2)}`);
      }
    }
    return [...faults];
  });
}
