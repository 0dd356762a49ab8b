/**
 * What tells a test of an invariant or of a race. What holds for every input and every order of
 * events is broken when it is broken once, so such a test is never run again. One such test makes
 * its whole file lasting: the text does not tell more finely, and rather too few are run again.
 */
const signs = [
  // Laws over generated inputs, and what must hold of all orders at any time.
  /from 'fast-check'/,
  /help\/invariants\.ts'/,
  // Real concurrency: another process on the database, one that is killed, many calls at once.
  /\bonlyOn\('postgres'\)/,
  /'SIGKILL'/,
  /Promise\.all(?:Settled)?\(\s*Array\.from/,
]
/** Files that are about an invariant or a race though none of the signs stands in them. */
export const listed = [
  'tests/architecture.test.ts',
  'tests/matrix.test.ts',
  'tests/server/customer/material.test.ts',
  'tests/server/settle/books.test.ts',
  'tests/server/settle/charge.test.ts',
  'tests/server/stale.test.ts',
  'tests/server/system/names.test.ts',
  'tests/server/system/people.test.ts',
]
/** The tag that a journey in a browser carries when it is about a race. */
export const RACE = '@race'

/** Whether a failure in this file is never run again; `file` is from the project's folder. */
export const isLasting = (file: string, text: string): boolean =>
  /-races\.test\.tsx?$/.test(file) || listed.includes(file) || signs.some(sign => sign.test(text))
