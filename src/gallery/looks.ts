import type { Text } from '#src/domain/text.ts'

/** How the gallery is drawn: each theme, usual and with more contrast. */
export const looks = [
  { key: 'light', text: ['浅色', 'Light'], dark: false, more: false },
  { key: 'dark', text: ['深色', 'Dark'], dark: true, more: false },
  { key: 'contrast', text: ['高对比', 'Contrast'], dark: false, more: true },
  { key: 'dark-contrast', text: ['深色高对比', 'Dark contrast'], dark: true, more: true },
] as const satisfies readonly { key: string; text: Text; dark: boolean; more: boolean }[]
export type Look = (typeof looks)[number]

/** Draws everything so, as the shell does. */
export const showLook = ({ dark, more }: Look): void => {
  const root = document.documentElement
  root.classList.toggle('bp6-dark', dark)
  root.style.colorScheme = dark ? 'dark' : 'light'
  if (more) root.dataset['contrast'] = 'more'
  else delete root.dataset['contrast']
}
