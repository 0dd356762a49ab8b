/**
 * Where the running numbers of these helpers begin: at nought in a database of a test's own, and
 * behind what earlier processes wrote where several write into one (tests/e2e/moneyRows.server.ts).
 */
export const FIRST = Number(process.env.ROWS_FROM ?? 0)
