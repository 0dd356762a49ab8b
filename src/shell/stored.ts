/**
 * Local storage that may be denied, full or hold rubbish: reading then answers null, writing is
 * given up.
 */
export const stored = {
  get(key: string): string | null {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  },
  set(key: string, value: string | null) {
    try {
      if (value === null) localStorage.removeItem(key)
      else localStorage.setItem(key, value)
    } catch {
      /* private mode or no room: the setting lasts as long as the tab */
    }
  },
  keys(prefix: string): string[] {
    try {
      return Object.keys(localStorage).filter(key => key.startsWith(prefix))
    } catch {
      return []
    }
  },
  /** The value under `key` if it is JSON that `fits`, otherwise null. */
  json<T>(key: string, fits: (value: unknown) => value is T): T | null {
    try {
      const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
      return fits(value) ? value : null
    } catch {
      return null
    }
  },
}
/** What one tab of the browser keeps for itself through a reload. */
export const ofTab = {
  get(key: string): string | null {
    try {
      return sessionStorage.getItem(key)
    } catch {
      return null
    }
  },
  set(key: string, value: string) {
    try {
      sessionStorage.setItem(key, value)
    } catch {
      /* then it lasts as long as the page */
    }
  },
}

// Names of the specification, sections 3 and 9.
export const TOKEN = 'token'
const REGION = 'region'
const ACCOUNT = 'mallet.account'

/** The token, if what is stored can be one: a header takes printable ASCII only. */
export const token = (): string | null => {
  const value = stored.get(TOKEN)
  return value && /^[\x21-\x7e]{8,512}$/.test(value) ? value : null
}
export const region = (): string => {
  const value = stored.get(REGION)
  return value && /^[\w-]{1,32}$/.test(value) ? value : 'pro'
}
/** The account that signed in last on this machine. */
export const rememberedAccount = () => stored.get(ACCOUNT) ?? ''
export const rememberAccount = (account: string) => stored.set(ACCOUNT, account)

export const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]
const themeKey = (account: string) => `theme:${account}`
/** The theme chosen under this user name; light until one is chosen. */
export const themeOf = (account: string): Theme =>
  themes.find(theme => theme === stored.get(themeKey(account))) ?? 'light'

const contrasts = ['system', 'more', 'usual'] as const
export type Contrast = (typeof contrasts)[number]
const contrastKey = (account: string) => `contrast:${account}`
/** The contrast chosen under this user name; what the system asks for until one is chosen. */
const contrastOf = (account: string): Contrast =>
  contrasts.find(contrast => contrast === stored.get(contrastKey(account))) ?? 'system'

const systemDark = globalThis.matchMedia?.('(prefers-color-scheme: dark)')
const systemMore = globalThis.matchMedia?.('(prefers-contrast: more)')
let shown: Theme = 'light'
let contrast: Contrast = 'system'
const draw = () => {
  if (contrast === 'more' || (contrast === 'system' && systemMore?.matches === true))
    document.documentElement.dataset['contrast'] = 'more'
  else delete document.documentElement.dataset['contrast']
  const dark = shown === 'dark' || (shown === 'system' && systemDark?.matches === true)
  document.documentElement.classList.toggle('bp6-dark', dark)
  document.documentElement.style.colorScheme = dark ? 'dark' : 'light'
}
systemDark?.addEventListener('change', draw)
systemMore?.addEventListener('change', draw)
const showTheme = (theme: Theme) => {
  shown = theme
  draw()
}
export const shownTheme = () => shown
export const shownContrast = () => contrast
/** Draws everything as this person has it. */
export const showLooks = (account: string) => {
  contrast = contrastOf(account)
  showTheme(themeOf(account))
}
export const chooseContrast = (account: string, next: Contrast) => {
  stored.set(contrastKey(account), next)
  contrast = next
  draw()
}
export const chooseTheme = (account: string, theme: Theme) => {
  stored.set(themeKey(account), theme)
  showTheme(theme)
}
