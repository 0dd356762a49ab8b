// `npm test`: installs what is missing, then runs every check there is (tests/run/main.ts).
// `--bench` runs the benchmarks, `--only=unit,lite` some of the steps, `--changed` what depends on
// what this branch changed, `--soak` seeds and clocks (tests/run/soak.ts).
import { build, install } from '../src/start.mjs'
import { checks } from './check.mjs'

install()
const { register } = await import('tsx/esm/api')
register()
const { main } = await import('./run/main.ts')
process.exit(await main({ build, checks }, process.argv.slice(2)))
