import { runnerImport, type Plugin } from 'vite'
import { readingsOf } from './readings.ts'

const NAME = 'virtual:palette-index'
const RESOLVED = `\0${NAME}`

/** Vite plugin: the readings of every title and alias of `commands/`, made at build time. */
export const paletteIndex = (): Plugin => ({
  name: 'palette-index',
  resolveId: id => (id === NAME ? RESOLVED : undefined),
  async load(id) {
    if (id !== RESOLVED) return undefined
    const { module, dependencies } = await runnerImport<{ all: readonly { title: string; alias?: readonly string[] }[] }>('/commands/index.ts', { configFile: false })
    for (const file of dependencies) this.addWatchFile(file)
    const texts = new Set(module.all.flatMap(({ title, alias = [] }) => [title, ...alias]).filter(text => /\p{Script=Han}/u.test(text)))
    return `export default ${JSON.stringify(Object.fromEntries([...texts].map(text => [text, readingsOf(text)])))}`
  },
  hotUpdate({ file }) {
    if (!/\/commands\//.test(file)) return
    const made = this.environment.moduleGraph.getModuleById(RESOLVED)
    if (made) this.environment.moduleGraph.invalidateModule(made)
  },
})
