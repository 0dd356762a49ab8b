// Laws over generated inputs grow from the run's seed: vitest.config.ts has every test that asks for
// `fast-check` get it from here.
import fc from 'fast-check'
import { SEED } from './seed.ts'

fc.configureGlobal({ seed: SEED })
// oxlint-disable-next-line import/no-default-export -- as the package exports it
export default fc
export * from 'fast-check'
