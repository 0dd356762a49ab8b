import { runnerImport, type Plugin } from 'vite'
import { readingsOf } from './readings.ts'

/** The questions of an action are no words to be found by; those of an article are. */
type Said = {
  title: string | readonly string[]
  alias?: readonly string[]
  asks?: readonly string[] | object
}
/**
 * Virtual module → the files whose exported lists it reads, and the name of each list. What help
 * says is read when somebody asks.
 */
const indexes: Readonly<Record<string, readonly (readonly [file: string, list: string])[]>> = {
  'virtual:palette-index': [['/commands/index.ts', 'all']],
  'virtual:help-index': [
    ['/commands/articles.ts', 'articles'],
    ['/src/areas/workbench/glossary.ts', 'glossary'],
  ],
}

/**
 * Vite plugin: the readings of every title and alias of `commands/`, and of what help says, made at
 * build time.
 */
export const paletteIndex = (): Plugin => ({
  name: 'palette-index',
  resolveId: id => (Object.hasOwn(indexes, id) ? `\0${id}` : undefined),
  async load(id) {
    const files = id.startsWith('\0') ? indexes[id.slice(1)] : undefined
    if (!files) return undefined
    const texts = new Set<string>()
    for (const [file, list] of files) {
      const { module, dependencies } = await runnerImport<Record<string, readonly Said[]>>(file, {
        configFile: false,
      })
      for (const path of dependencies) this.addWatchFile(path)
      for (const { title, alias = [], asks } of module[list]!)
        for (const text of [
          title,
          ...alias,
          ...(Array.isArray(asks) ? (asks as string[]) : []),
        ].flat())
          if (/\p{Script=Han}/u.test(text)) texts.add(text)
    }
    return `export default ${JSON.stringify(Object.fromEntries([...texts].map(text => [text, readingsOf(text)])))}`
  },
  hotUpdate({ file }) {
    if (!/\/commands\/|\/terms\.ts$/.test(file)) return
    for (const name of Object.keys(indexes)) {
      const made = this.environment.moduleGraph.getModuleById(`\0${name}`)
      if (made) this.environment.moduleGraph.invalidateModule(made)
    }
  },
})
