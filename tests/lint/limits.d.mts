type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>
type Diagnostic = { filename: string; code: string }
export declare const countByFile: (diagnostics: readonly Diagnostic[]) => Counts
export declare const totalsOf: (counts: Counts) => Record<string, number>
export declare const newFaults: (now: Counts, excused: Counts) => string[]
export declare const staleEntries: (now: Counts, excused: Counts) => string[]
export declare const grownRules: (later: Counts, earlier: Counts) => string[]
export declare const lint: (paths: readonly string[]) => Diagnostic[]
