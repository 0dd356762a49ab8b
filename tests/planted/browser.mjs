// `node tests/planted/browser.mjs` in a copy of the source: what Vite finds there, as JSON.
import { runnerImport } from 'vite'

const { module } = await runnerImport('/tests/planted/browser.ts', { configFile: false })
process.stdout.write(`\n${JSON.stringify(module.found)}\n`, () => process.exit(0))
