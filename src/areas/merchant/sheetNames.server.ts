/** What lines of a sheet name, and what is wrong with a line: for imports of whatever merchants have. */
import { and, sql } from 'drizzle-orm'
import { plain } from '#src/areas/sheet/heads.ts'
import type { Foreseen } from '#src/areas/sheet/importing.server.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { within } from '#src/server/call/scope.ts'
import { plainName } from '#src/server/db/names.ts'
import { merchant } from './merchant.table.ts'
import { nameKey } from './storeSheet.ts'

export type Owner = {
  id: number
  name: string
  merchant_no: string
  city_id: number
  status: string
}
/** What is wrong with a line, thrown from wherever it is found. */
export class LineFault extends Error {
  constructor(readonly text: Text) {
    super(text[0])
  }
}
export const lineFault = (zh: string, en: string) => new LineFault([zh, en])
const short = (cell: string) => (cell.length > 30 ? `${cell.slice(0, 30)}…` : cell)
/** A word for what lies in somebody's data: whoever names another one may not see it. */
type Word = { text: Text; scoped: boolean }
export const theirs = (text: Text): Word => ({ text, scoped: true })
const outside: Text = ['，或不在你的数据范围内', ', or it is outside your data scope']
/** The one that a cell names; throws LineFault where none or several are called so. */
export const only = <T extends { id: number }>(
  found: readonly T[] | undefined,
  cell: string,
  called: Text | Word,
): T => {
  const { text: title, scoped } = 'text' in called ? called : { text: called, scoped: false }
  if (!found || found.length === 0) {
    const [zh, en] = scoped ? outside : ['', '']
    throw lineFault(
      `没有找到${title[0]}“${short(cell)}”${zh}，请核对名称`,
      `No ${title[1]} “${short(cell)}”${en}: check its name`,
    )
  }
  if (found.length > 1) {
    const numbers = found
      .map(one => one.id)
      .sort((a, b) => a - b)
      .slice(0, 5)
    throw lineFault(
      `${title[0]}“${short(cell)}”有 ${found.length} 个同名：请写明上级，或改填编号（${numbers.join('、')}）`,
      `${found.length} have the ${title[1]} “${short(cell)}”: write the one above it, or a number (${numbers.join(', ')})`,
    )
  }
  return found[0]!
}
/** What a cell means; throws LineFault where its reader found a fault. */
export const typedCell = <T>(value: T | { fault: Text }): T => {
  if (typeof value === 'object' && value !== null && 'fault' in value)
    throw new LineFault(value.fault)
  return value as T
}
/** Merchants of the person's data by what cells call them: a name, its number or its id. */
export const merchantsNamed = async (
  db: Db,
  staff: Pick<Staff, 'scope'>,
  cells: readonly string[],
): Promise<ReadonlyMap<string, readonly Owner[]>> => {
  const typed = cells.map(plain)
  const numbers = typed.filter(one => /^\d{1,9}$/.test(one))
  const keys = [...new Set(cells.map(nameKey))]
  const { id, name, merchant_no, city_id, status } = merchant
  const found = await db
    .select({ id, name, merchant_no, city_id, status })
    .from(merchant)
    .where(
      and(
        sql`(${plainName(name)} = any(${sql.param(keys)}::text[]) or ${merchant_no} = any(${sql.param(typed)}::text[]) or ${id} = any(${sql.param(numbers.map(Number))}::int[]))`,
        within(staff.scope, { city: merchant.city_id, owner: merchant.bd_admin_id }),
      ),
    )
  const by = new Map<string, Owner[]>()
  for (const one of found)
    for (const key of new Set([nameKey(one.name), nameKey(one.merchant_no), String(one.id)]))
      by.set(key, [...(by.get(key) ?? []), one])
  return by
}
/**
 * Tells each line by itself: what is wrong with one stands at it, and one that is the same as a line
 * above it by `keyOf` is bad.
 */
export const tellLines = <L extends { row: number; cells: { name: string } }, G>(
  lines: readonly L[],
  tell: (line: L) => Foreseen<G>,
  keyOf: (given: G) => string,
): Foreseen<G>[] => {
  const before = new Map<string, number>()
  return lines.map((line): Foreseen<G> => {
    try {
      const told = tell(line)
      const key = told.given === undefined ? undefined : keyOf(told.given)
      const first = key === undefined ? undefined : before.get(key)
      if (first !== undefined)
        throw lineFault(
          `与第 ${first} 行重复，请删去其中一行`,
          `The same as line ${first}: delete one of them`,
        )
      if (key !== undefined) before.set(key, line.row)
      return told
    } catch (error) {
      if (!(error instanceof LineFault)) throw error
      const { row, cells } = line
      return { row, state: 'bad', name: cells.name, text: error.text, version: null }
    }
  })
}
