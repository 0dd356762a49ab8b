import { cpSync, createReadStream, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type Page } from '@playwright/test'
import react from '@vitejs/plugin-react'
import { build, transformWithOxc, type Plugin } from 'vite'
import { urlOf } from '#src/contract/call.ts'
import { views } from '#src/contract/views.ts'
import { readingsOf } from '#src/shell/palette/readings.ts'

const here = dirname(fileURLToPath(import.meta.url))
const root = dirname(dirname(here))
const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    ...(process.env.TEST_CHROMIUM && { executablePath: process.env.TEST_CHROMIUM }),
    args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })

/**
 * Puts the generated commands in the place of the registry, and their readings in the place of the
 * built index.
 */
const generated = (): Plugin => ({
  name: 'generated-commands',
  enforce: 'pre',
  resolveId: (id, from) => {
    if (id === '#commands/index.ts' || id === '#commands/contents.ts')
      return join(here, 'page/commands.ts')
    const isReadings = id === 'virtual:palette-index' || id === 'virtual:help-index'
    return isReadings && from ? '\0readings' : undefined
  },
  async load(id) {
    if (id !== '\0readings') return undefined
    const { all } = await import('./page/commands.ts')
    return `export default ${JSON.stringify(Object.fromEntries(all.map(({ title }) => [title, readingsOf(title)])))}`
  },
})

/**
 * Builds a page of `tests/bench/page` as the product is built, and serves it on a port of its own.
 * Calls of the product's are answered with an empty list.
 */
export const servePage = async (name: string): Promise<{ address: string; close: () => void }> => {
  const folder = mkdtempSync(join(tmpdir(), 'mallet-bench-page-'))
  await build({
    root: join(here, 'page'),
    configFile: false,
    logLevel: 'warn',
    plugins: [react(), generated()],
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2023',
      chunkSizeWarningLimit: 10_000,
      rolldownOptions: { input: join(here, 'page', `${name}.html`) },
    },
  })
  const server = createServer((request, reply) => {
    const path = new URL(request.url ?? '/', 'http://page').pathname
    if (path.startsWith('/api/'))
      return void reply.setHeader('content-type', 'application/json').end(
        JSON.stringify({
          status: 200,
          msg: 'success',
          message: '',
          data: path === urlOf(views.lst) ? [] : { list: [], total: 0 },
        }),
      )
    const file = join(folder, normalize(path))
    if (!file.startsWith(folder) || !existsSync(file) || !extname(file))
      return void reply.writeHead(404).end()
    reply.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream')
    createReadStream(file).pipe(reply)
  })
  await new Promise<void>(up => server.listen(0, '127.0.0.1', up))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}/${name}.html`,
    close: () => {
      server.close()
      server.closeAllConnections()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
/** Measures in every page of a context, as `press` wants it. */
export const probing = async (page: Page): Promise<void> => {
  const { code } = await transformWithOxc(
    readFileSync(join(here, 'page/probe.ts'), 'utf8'),
    'probe.ts',
  )
  await page.addInitScript({ content: `{${code.replaceAll(/^export \{.*$/gm, '')}}` })
}
/**
 * The console as it is built, with so many grown commands beside the real ones that they are
 * 10,000; the folder that `serveBuilt` takes.
 */
export const buildGrown = async (): Promise<string> => {
  const folder = join(root, 'dist', 'bench')
  const file = (name: string) => JSON.stringify(join(root, 'commands', name))
  const grown = JSON.stringify(join(here, 'page/commands.ts'))
  const joined: Readonly<Record<string, string>> = {
    '\0grown-index': `import { all as grown } from ${grown}\nimport * as real from ${file('index.ts')}\nconst more = grown.filter(one => !real.all.includes(one))\nexport * from ${file('index.ts')}\nexport const all = [...real.all, ...more]\nexport const actions = all.filter(one => one.kind === 'action')`,
    '\0grown-contents': `import * as real from ${file('contents.ts')}\nimport { pages as grown } from ${grown}\nexport const { sections, histories, historyFrom, commandsOf } = real\nexport const pages = [...real.pages, ...grown.filter(one => !real.pages.includes(one))]`,
  }
  const grownOf: Readonly<Record<string, string>> = {
    '#commands/index.ts': '\0grown-index',
    '#commands/contents.ts': '\0grown-contents',
    'virtual:palette-index': '\0grown-readings',
  }
  const plugin: Plugin = {
    name: 'grown-commands',
    enforce: 'pre',
    resolveId: id => grownOf[id],
    async load(id) {
      if (joined[id]) return joined[id]
      if (id !== '\0grown-readings') return undefined
      const texts = [
        ...(await import('#commands/index.ts')).all.flatMap(({ title, alias = [] }) => [
          title,
          ...alias,
        ]),
        ...(await import('./page/commands.ts')).all.map(({ title }) => title),
      ]
      return `export default ${JSON.stringify(Object.fromEntries([...new Set(texts)].map(text => [text, readingsOf(text)])))}`
    },
  }
  await build({
    root,
    logLevel: 'error',
    plugins: [plugin],
    environments: { client: { build: { outDir: join(folder, 'client') } } },
  })
  cpSync(join(dist, 'server'), join(folder, 'server'), { recursive: true })
  return folder
}
export { root }
/** The built console and server. */
export const dist = process.env.BENCH_DIST ?? join(root, 'dist')

/**
 * Presses a key and answers how long it took until its result was painted, ms; and until an input
 * had the focus, where one got it.
 */
export const press = async (
  page: Page,
  key: string,
): Promise<{ paint: number; focus: number | undefined }> => {
  await page.evaluate(() => window.probe.arm('keydown'))
  await page.keyboard.press(key)
  return page.evaluate(() => window.probe.taken())
}
/**
 * Presses a key and answers how long it took until what `selector` finds was painted with another
 * text, ms; NaN after five seconds.
 */
export const turned = async (page: Page, selector: string, key: string): Promise<number> => {
  await page.evaluate(what => window.probe.turns(what, 5000), selector)
  await page.keyboard.press(key)
  return page.evaluate(() => window.probe.turned())
}
