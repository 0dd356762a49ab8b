import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { bin, root, works } from './process.ts'

const aptGet = (packages: string[]) => {
  if (process.getuid?.() !== 0 || !works('apt-get')) return false
  console.log(`Installing ${packages.join(', ')} …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env })
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...packages]
  return spawnSync('apt-get', install, { stdio: 'inherit', env }).status === 0
}
const installed = () =>
  [
    process.env.TEST_CHROMIUM,
    // Without a screen to draw for it costs half as much.
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ].find(path => path && existsSync(path))

/**
 * A Chromium: the system's, else Playwright's own, else Debian's package. Answers its path, '' for
 * Playwright's own, undefined for none.
 */
export const findBrowser = async (): Promise<string | undefined> => {
  const { chromium } = await import('@playwright/test')
  const own = () => existsSync(chromium.executablePath())
  const found = installed() ?? (own() ? '' : undefined)
  if (found !== undefined) return found
  console.log('Fetching a browser …')
  const fetching = [bin('@playwright/test/cli.js'), 'install', 'chromium', '--only-shell']
  spawnSync(process.execPath, fetching, { cwd: root, stdio: 'inherit' })
  if (own()) return ''
  // Ubuntu has no package of the shell alone.
  const packages = ['chromium-headless-shell', 'chromium']
  return packages.some(one => aptGet([one, 'fonts-noto-cjk'])) ? installed() : undefined
}
