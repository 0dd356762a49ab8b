import type { Implementation } from '#src/server/call/implement.ts'
import { everyCallServed } from '#src/server/call/served.ts'
import { contracts } from './contracts.ts'

/** A module's half of the server: one file, or one file a page in a folder. */
const files: readonly Readonly<Record<string, unknown>>[] = [
  import.meta.glob<Record<string, unknown>>('./modules/*/server.ts', { eager: true }),
  import.meta.glob<Record<string, unknown>>('./modules/*/server/*.ts', { eager: true }),
].flatMap(found => Object.values(found))

const isImplementation = (value: unknown): value is Implementation<any> =>
  typeof value === 'object' && value !== null && 'calls' in value && 'handlers' in value

/**
 * The server's half of every module, found where the modules are. A contract whose call has no
 * handler here keeps the server from starting.
 */
export const implementations: readonly Implementation<any>[] = everyCallServed(
  [
    ...new Set(
      files.flatMap(exported =>
        Object.values(exported)
          .flat()
          .filter(value => isImplementation(value)),
      ),
    ),
  ],
  contracts,
)
