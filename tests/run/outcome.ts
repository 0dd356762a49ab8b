/** What failed: one test, a group or a file that could not begin, or an error outside every test. */
export type Fault = {
  kind: 'test' | 'group' | 'file' | 'outside'
  /** From the project's folder; '' outside every test. */
  file: string
  /** Names from the outermost group to the test; none for a file. */
  titles: string[]
  why: string[]
  /** It breaks an invariant or loses a race: chance excuses nothing, it is never run again. */
  lasting: boolean
  /** The project of vitest or Playwright it ran in. */
  project?: string
}
/** A fault that was not there when its test ran once more by itself. */
export type Flaky = { fault: Fault; secondsAgain: number }
/** Seconds a test file took, all its tests and what it loads. */
export type FileTime = { file: string; seconds: number }
/** What a runner of tests reported of one run. */
export type Outcome = {
  passed: number
  failed: number
  faults: Fault[]
  files: FileTime[]
  /** What there is to say beside the counts. */
  why: string
}
/**
 * A step of `npm test` as its last lines tell it. `busy` is the share of the machine's processor
 * time that was used meanwhile, by whatever ran on it.
 */
export type Step = Outcome & { name: string; flaky: Flaky[]; seconds: number; busy: number }

export const nothing: Outcome = { passed: 0, failed: 0, faults: [], files: [], why: '' }
