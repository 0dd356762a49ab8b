/** What a contract's file exports, by the file. */
export type Contracts = Readonly<Record<string, object>>

/**
 * Every contract there is, found by its path like the pages are: a file that no handler imports is
 * among them.
 */
export const contracts: Contracts = {
  ...import.meta.glob<object>('./contract/*.ts', { eager: true }),
  ...import.meta.glob<object>('./modules/*/contract.ts', { eager: true }),
  ...import.meta.glob<object>('./modules/*/contract/*.ts', { eager: true }),
}
