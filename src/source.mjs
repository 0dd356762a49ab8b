// `node --import ./src/source.mjs file.ts` runs a source as it stands: TypeScript through tsx, and
// `import.meta.glob('…', { eager: true })` as Vite has it. The built server needs neither.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { register } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  register(import.meta.url)
  await import('tsx')
}

/** A call with one pattern, whatever type it is given. */
const eagerGlob =
  /import\.meta\.glob(?:<[^()]*>)?\(\s*(["'])([^"']+)\1\s*,\s*\{\s*eager:\s*true,?\s*\}\s*,?\s*\)/g

/** The files below a folder that a pattern names; `*` stands for any part of one name. */
const matching = (folder, [part, ...rest], way = []) => {
  if (part === undefined) return [way.join('/')]
  if (/^\.+$/.test(part)) return matching(join(folder, part), rest, [...way, part])
  const name = new RegExp(`^${part.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`)
  return readdirSync(folder)
    .sort()
    .filter(one => name.test(one))
    .filter(one => rest.length === 0 || statSync(join(folder, one)).isDirectory())
    .flatMap(one => matching(join(folder, one), rest, [...way, one]))
}

/** Node's loader hook: writes the found files as imports above the code that asked for them. */
export const load = async (url, context, next) => {
  if (!/^file:.*\/(?:src|commands)\/.*\.ts(?:\?|$)/.test(url) || url.includes('/node_modules/'))
    return next(url, context)
  if (!readFileSync(fileURLToPath(url), 'utf8').includes('import.meta.glob'))
    return next(url, context)
  const loaded = await next(url, context)
  const found = []
  const text = String(loaded.source).replace(eagerGlob, (_, __, pattern) => {
    const files = matching(dirname(fileURLToPath(url)), pattern.split('/'))
    const members = files.map(file => `${JSON.stringify(file)}: found${found.push(file)}`)
    return `({${members.join(', ')}})`
  })
  const imports = found.map((file, i) => `import * as found${i + 1} from ${JSON.stringify(file)};`)
  return { ...loaded, source: `${imports.join('')}${text}` }
}
