import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { paletteIndex } from './src/shell/palette/index-plugin.ts'

/** Where `npm run dev` has put the server of this console. */
const server = `http://127.0.0.1:${process.env.DEV_SERVER_PORT ?? 4181}`

/** Blueprint's style sheet names each icon of a font that is never loaded: icons are components here. A tenth of its weight. */
const withoutFontIcons = (): Plugin => ({
  name: 'without-font-icons',
  enforce: 'pre',
  transform: (code, id) => (id.endsWith('/blueprint.css') ? code.replace(/\.bp6-icon-[a-z0-9-]+::?before\s*\{\s*content:[^}]*\}/g, '') : undefined),
})

/** Writes what gains from it a second and third time, as `.br` and `.gz` beside it: they are served as they lie there, and starting a server packs nothing. */
const packed = (): Plugin => ({
  name: 'packed',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  closeBundle() {
    for (const entry of readdirSync(this.environment.config.build.outDir, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (!entry.isFile() || !/\.(js|css|html|svg|json|webmanifest)$/.test(entry.name) || statSync(path).size < 1024) continue
      const bytes = readFileSync(path)
      writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))
      writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
    }
  },
})

export default defineConfig({
  plugins: [react(), paletteIndex(), withoutFontIcons(), packed()],
  server: {
    host: process.env.HOST || '127.0.0.1',
    port: Number(process.env.PORT || 4180),
    strictPort: true,
    proxy: Object.fromEntries(['/api', '/healthz', '/metrics', '/uploads'].map(path => [path, { target: server, xfwd: true }])),
  },
  builder: {},
  environments: {
    client: { build: { outDir: 'dist/client', emptyOutDir: true, manifest: true, target: 'es2023', assetsInlineLimit: 0 } },
    /** The server as plain JavaScript: starting it compiles nothing. What is in node_modules stays there. */
    ssr: {
      build: {
        outDir: 'dist/server', emptyOutDir: true, ssr: true, target: 'node20', copyPublicDir: false, sourcemap: true,
        // The database's process is started as a file of its own, beside the server's.
        rolldownOptions: { input: { serve: 'src/serve.ts', child: 'src/server/db/child.ts' }, output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' } },
      },
    },
  },
})
