import type { Page } from '@playwright/test'

/** Icons that stay black on the dark: axe looks at text alone. The page is in its dark colours. */
export const blackIcons = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<SVGElement>('svg[data-icon]')]
      .filter(icon => icon.checkVisibility() && getComputedStyle(icon).fill === 'rgb(0, 0, 0)')
      .map(icon => `${icon.dataset['icon']} in ${icon.parentElement!.textContent.slice(0, 20)}`),
  )
/** Amounts of a fact without their ¥: beside a label alone they may be points or pieces. */
export const bareSums = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.m-facts dd .m-num')]
      .filter(sum => sum.checkVisibility() && !sum.closest('table'))
      .filter(({ textContent }) => /^-?[\d,]+\.\d\d$/.test(textContent))
      .map(sum => `${sum.closest('div')!.textContent}`),
  )
/** Main tasks that have gone into the menu for want of room: their button is to be seen in any window. */
export const hiddenTasks = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.m-acts > .bp6-intent-primary[data-over]')]
      .filter(button => button.parentElement!.checkVisibility())
      .map(button => `in the menu: ${button.textContent}`),
  )
