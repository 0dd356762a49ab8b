import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { filesOfModules, piecesOf } from './src/build/pieces.ts'
import { slimContract } from './src/build/slimContract.ts'
import { paletteIndex } from './src/shell/palette/index-plugin.ts'

/** Where `npm run dev` has put the server of this console. */
const server = `http://127.0.0.1:${process.env.DEV_SERVER_PORT ?? 4181}`

/**
 * Parts of Blueprint that are used nowhere here; one that comes into use leaves this list
 * (tests/build.test.ts).
 */
export const unusedParts = [
  'compound-tag',
  'editable-text',
  'slider',
  'tree',
  'multistep-dialog',
  'panel-stack',
  'breadcrumb',
  'entity-title',
  'navbar',
  'section',
  'non-ideal-state',
]
const unused = new RegExp(`\\.bp6-(?:${unusedParts.join('|')})`)
/**
 * Blueprint's style sheet names each icon of a font that is never loaded, as icons are components
 * here, and has the rules of parts that nobody uses: a quarter of its weight.
 */
const withoutUnusedStyles = (): Plugin => ({
  name: 'without-unused-styles',
  enforce: 'pre',
  transform: (code, id) =>
    id.endsWith('/blueprint.css')
      ? code
          .replace(/\.bp6-icon-[a-z0-9-]+::?before\s*\{\s*content:[^}]*\}/g, '')
          .replace(/[^{}]+\{[^{}]*\}/g, rule =>
            rule
              .slice(0, rule.indexOf('{'))
              .split(',')
              .every(selector => unused.test(selector))
              ? ''
              : rule,
          )
      : undefined,
})

/**
 * Blueprint can draw an icon by its name, for which it carries the names of all and fetches their
 * shapes: icons are components here.
 */
const withoutIconNames = (): Plugin => ({
  name: 'without-icon-names',
  enforce: 'pre',
  load: id =>
    id.endsWith('/@blueprintjs/icons/lib/esm/iconLoader.js')
      ? 'export class Icons { static setLoaderOptions() {} static async load() {} static async loadAll() {} static getPaths() {} }'
      : undefined,
})

/**
 * Icons that are drawn at 20 pixels or more, by their files; one that comes to be drawn so joins
 * this list (tests/build.test.ts). The last is Blueprint's own, in the head of a drawer.
 */
export const largeIcons = ['video', 'document', 'small-cross']
/** Every icon brings a second shape for large sizes, which is an eighth of the libraries' weight. */
const withoutLargeIcons = (): Plugin => ({
  name: 'without-large-icons',
  enforce: 'pre',
  transform(code, id) {
    const [, icon] =
      /\/@blueprintjs\/icons\/lib\/esm\/generated\/components\/([\w-]+)\.js$/.exec(id) ?? []
    return icon === undefined || largeIcons.includes(icon)
      ? undefined
      : { code: code.replace(/^const PATHS_20 = .*$/m, 'const PATHS_20 = PATHS_16;'), map: null }
  },
})

/** zod can write JSON schemas: the server's API document is made of them, the console never is. */
const withoutJsonSchemas = (): Plugin => ({
  name: 'without-json-schemas',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  transform: (code, id) =>
    /zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/.test(id)
      ? {
          code: [...code.matchAll(/^export (?:const|function|class) (\w+)/gm)]
            .map(([, name]) => `export const ${name} = () => () => {}`)
            .join('\n'),
          map: null,
        }
      : undefined,
})

const slimContracts = (): Plugin => ({
  name: 'slim-contracts',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  transform(code, id) {
    return /\/src\/(?:modules\/[^/]+\/)?contract(?:\/[^/]+)?\.ts$|\/commands\//.test(id)
      ? {
          code: slimContract(code, text => this.parse(text), relative(import.meta.dirname, id)),
          map: null,
        }
      : undefined
  },
})

/**
 * Writes what gains from it a second and third time, as `.br` and `.gz` beside it: they are served
 * as they lie there, and starting a server packs nothing.
 */
const packed = (): Plugin => ({
  name: 'packed',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  closeBundle() {
    for (const entry of readdirSync(this.environment.config.build.outDir, {
      recursive: true,
      withFileTypes: true,
    })) {
      const path = join(entry.parentPath, entry.name)
      if (
        !entry.isFile() ||
        !/\.(js|css|html|svg|json|webmanifest)$/.test(entry.name) ||
        statSync(path).size < 1024
      )
        continue
      const bytes = readFileSync(path)
      writeFileSync(
        `${path}.br`,
        brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
      )
      writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
    }
  },
})

/** Pieces of which each needs the next and the last the first, by who needs whom; undefined for none. */
export const cycleIn = (needs: ReadonlyMap<string, readonly string[]>): string[] | undefined => {
  const done = new Set<string>()
  const from = (piece: string, way: readonly string[]): string[] | undefined => {
    if (way.includes(piece)) return [...way.slice(way.indexOf(piece)), piece]
    if (done.has(piece)) return undefined
    for (const next of needs.get(piece) ?? []) {
      const found = from(next, [...way, piece])
      if (found) return found
    }
    done.add(piece)
    return undefined
  }
  for (const piece of needs.keys()) {
    const found = from(piece, [])
    if (found) return found
  }
  return undefined
}
/**
 * Pieces that need each other begin in either order, and what one of them makes at once of the other
 * is not there yet: the build ends where there are such, before a page fails by chance.
 */
const withoutCycles = (): Plugin => ({
  name: 'without-cycles',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  generateBundle(_, bundle) {
    const found = cycleIn(
      new Map(
        Object.values(bundle).flatMap(one =>
          one.type === 'chunk' ? [[one.fileName, one.imports]] : [],
        ),
      ),
    )
    if (found) this.error(`pieces need each other: ${found.join(' → ')}`)
  },
})

/** Pieces that the entry fetches for whoever is signed in. */
const AHEAD = ['workbench', 'map']
type Chunk = Pick<Rolldown.OutputChunk, 'type' | 'name' | 'isEntry' | 'imports'>
/** The files of pieces by their names and of all that they need at once, but for the entry's. */
export const neededBy = (
  names: readonly string[],
  bundle: Readonly<Record<string, Chunk | { type: 'asset' }>>,
): string[] => {
  const found = new Set<string>()
  const add = (file: string) => {
    const chunk = bundle[file]
    if (chunk?.type !== 'chunk' || chunk.isEntry || found.has(file)) return
    for (const needed of chunk.imports) add(needed)
    found.add(file)
  }
  for (const [file, chunk] of Object.entries(bundle))
    if (chunk.type === 'chunk' && names.includes(chunk.name)) add(file)
  return [...found]
}
/**
 * The entry fetches the workbench once it runs: the browser hears of it with the page, and has it by
 * then. Less urgent than the entry, which is all that somebody needs who signs in. Styles are left
 * out: of those that nobody comes to use the browser complains.
 */
const workbenchAhead = (): Plugin => ({
  name: 'workbench-ahead',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle }) =>
      neededBy(AHEAD, bundle ?? {})
        .filter(file => !html.includes(file))
        .map(file => ({
          tag: 'link',
          attrs: {
            rel: 'modulepreload',
            crossorigin: true,
            fetchpriority: 'low',
            href: `/${file}`,
          },
          injectTo: 'head',
        })),
  },
})

const piece = piecesOf(
  {
    workbench: join(import.meta.dirname, 'src/shell/workbench.tsx'),
    map: join(import.meta.dirname, 'src/shell/pages.ts'),
  },
  filesOfModules(import.meta.dirname),
)

export default defineConfig({
  plugins: [
    react(),
    paletteIndex(),
    withoutUnusedStyles(),
    withoutIconNames(),
    withoutLargeIcons(),
    withoutJsonSchemas(),
    slimContracts(),
    withoutCycles(),
    workbenchAhead(),
    packed(),
  ],
  server: {
    host: process.env.HOST || '127.0.0.1',
    port: Number(process.env.PORT || 4180),
    strictPort: true,
    proxy: Object.fromEntries(
      ['/api', '/healthz', '/metrics', '/uploads'].map(path => [
        path,
        { target: server, xfwd: true },
      ]),
    ),
  },
  builder: {},
  environments: {
    client: {
      build: {
        outDir: 'dist/client',
        emptyOutDir: true,
        manifest: true,
        target: 'es2023',
        assetsInlineLimit: 0,
        rolldownOptions: {
          output: {
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [{ name: 'index', tags: ['$initial'], priority: 1 }, { name: piece }],
            },
          },
        },
      },
    },
    /**
     * The server as plain JavaScript: starting it compiles nothing. What is in node_modules stays
     * there.
     */
    ssr: {
      build: {
        outDir: 'dist/server',
        emptyOutDir: true,
        ssr: true,
        target: 'node20',
        copyPublicDir: false,
        sourcemap: true,
        // The database's process and the threads that read files are started as files of their own,
        // beside the server's.
        rolldownOptions: {
          input: {
            serve: 'src/serve.ts',
            child: 'src/server/db/child.ts',
            parser: 'src/server/files/parser.ts',
            reader: 'src/server/files/reader.ts',
          },
          output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
        },
      },
    },
  },
})
