/**
 * The calls of an import: a template, a trial that writes nothing, and the lines that are written,
 * each by itself. The three have one permission, that of `import`.
 */
import { z } from 'zod'
import type { Text } from '#src/domain/text.ts'
import { placed, type Read, type Result, type Write } from './call.ts'
import type { callsOf } from './record.ts'
import { keyText, pasted, version } from './shapes.ts'

/**
 * Lines that go in one call: each call is done or not as a whole, so it ends within the seconds of a
 * transaction (db/database.ts).
 */
export const IMPORT_LINES = 10
/** A file of 2 MB, as base64 in JSON. */
const FILE_MAX = 3 * 1024 * 1024
const COLUMNS_MAX = 30
const row = z.int().min(1).max(1_000_000)

/**
 * A line as it would be imported: `ready`, `already` as the file has it, what is wrong with it, or
 * `skipped` as it is no line (the head once more, a sum, the example).
 */
const foreseen = z.object({
  row: z.int(),
  state: z.enum(['ready', 'already', 'bad', 'skipped']),
  /** What the line is of, as people call it. */ name: z.string(),
  /** What is wrong and how to mend it; of a ready line what will be. */ text: z.string(),
  /** In the order of the import's columns, as they stand in the file. */
  cells: z.array(z.string()),
  /** The version of the row that it changes, as it was read; null where it makes one. */
  version: z.int().nullable(),
})
export type ImportLine = z.output<typeof foreseen>
const outcome = z.object({
  row: z.int(),
  result: z.enum(['done', 'already', 'failed']),
  text: z.string(),
})
export type ImportOutcome = z.output<typeof outcome>
const line = z.object({
  row,
  cells: z.array(pasted(400, 0)).min(1).max(COLUMNS_MAX),
  version: version.nullable(),
})
const trial = z.object({
  /** What is wrong with the file as a whole. */ fault: z.string().nullable(),
  /** The sheet that was read, and all that could be. */ sheet: z.string(),
  sheets: z.array(z.string()),
  /** Titles of all columns, in the order of a line's cells. */ columns: z.array(z.string()),
  /** Titles of the file by which columns were known, and those that nothing is known by. */
  heads: z.array(z.string()),
  ignored: z.array(z.string()),
  lines: z.array(foreseen),
})
export type ImportTrial = z.output<typeof trial>

type Sent = { row: number; cells: string[]; version: number | null }
type Fields = z.ZodRawShape
/** Without fields it is nothing, where zod says "nothing else". */
type Asked<F extends Fields, T> = [keyof F] extends [never] ? {} : T
type Calls<F extends Fields> = {
  importTemplate: Read<{}, {}, { name: string; file: string }>
  readImport: Write<
    { file: string; sheet?: string },
    { file: string; sheet?: string | undefined },
    ImportTrial
  >
  import: Write<
    { lines: Sent[] } & Asked<F, z.input<z.ZodObject<F>>>,
    { lines: Sent[] } & Asked<F, z.output<z.ZodObject<F>>>,
    { lines: ImportOutcome[] }
  >
}
export type ImportCalls = Pick<Calls<{}>, 'importTemplate' | 'readImport'> & {
  import: Write<unknown, unknown, Result<Calls<{}>['import']>>
}

/** The calls that import lines of a file; `fields` are sent with the lines, such as a reason. */
export const importCalls = <F extends Fields = {}>(
  call: ReturnType<typeof callsOf>,
  rows: string,
  { title, fields, touches }: { title: Text; fields?: F; touches: readonly string[] },
): Calls<F> => {
  const { permit } = call.write('import', title, { input: z.object({}), output: z.object({}) })
  const scope = placed(rows)
  const [zh, en] = title
  return {
    importTemplate: call.read('importTemplate', [`${zh}模板`, `${en}: template`], {
      input: z.object({}),
      output: z.object({ name: z.string(), file: z.string() }),
      touches: [],
      permit,
      scope: 'all',
    }),
    /** Reads a file and says of each line what would become of it. Writes nothing. */
    readImport: call.write('readImport', [`检查${zh}文件`, `${en}: check a file`], {
      input: z.object({
        /** The file, .xlsx or .csv, as base64. */ file: z
          .base64()
          .min(1)
          .max(FILE_MAX - 1024),
        /** The name of another sheet than the one that was read first. */
        sheet: keyText(100).optional(),
      }),
      output: trial,
      permit,
      scope,
      touches: [],
      quiet: true,
      // It waits for others' files: no transaction may wait with it.
      apart: true,
      body_max: FILE_MAX,
    }),
    /** Imports lines: each by itself, the bad ones say why, and one that is there is not made twice. */
    import: call.write('import', title, {
      input: z.object({ lines: z.array(line).min(1).max(IMPORT_LINES), ...fields }),
      output: z.object({ lines: z.array(outcome) }),
      permit,
      scope,
      touches,
    }),
  } as unknown as Calls<F>
}
