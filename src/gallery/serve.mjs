// `npm run kit`: the parts of the kit in all their states, on http://127.0.0.1:4182. No server, no
// data.
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

const at = path => fileURLToPath(new URL(path, import.meta.url))
const server = await createServer({
  root: at('.'),
  configFile: at('../../vite.config.ts'),
  publicDir: at('../../public'),
  // Apart from the console's, whose `npm run dev` may run beside it.
  cacheDir: at('../../node_modules/.vite-kit'),
  server: { port: Number(process.env.PORT || 4182) },
})
await server.listen()
server.printUrls()
