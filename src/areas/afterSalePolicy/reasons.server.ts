import { and, asc, eq, inArray } from 'drizzle-orm'
import { refundReasons } from '#src/areas/refund/refund.ts'
import { say, type Lang } from '#src/domain/text.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { faultless } from '#src/server/call/record.ts'
import { after_sale_reason } from './afterSalePolicy.table.ts'
import type { ReasonType } from './reason.ts'

/**
 * The enabled reasons of some kinds, in their order; one that stands in several is named once. `off`
 * adds those that are switched off, which older cases hold.
 */
export const offeredReasons = async (
  db: Db,
  types: readonly ReasonType[],
  off = false,
): Promise<{ code: string; text: string }[]> => {
  const rows = await db
    .select({ code: after_sale_reason.code, text: after_sale_reason.text })
    .from(after_sale_reason)
    .where(
      and(
        inArray(after_sale_reason.type, [...types]),
        off ? undefined : eq(after_sale_reason.status, 'on'),
      ),
    )
    .orderBy(asc(after_sale_reason.type), asc(after_sale_reason.sort), asc(after_sale_reason.id))
  return [...new Map(rows.map(row => [row.code, row])).values()]
}
/** What a reason of cases is called, whether it is still given or not; its code where nothing is. */
export const reasonNamed = async (db: Db, code: string, lang: Lang): Promise<string> => {
  const own = await offeredReasons(db, ['refund', 'return'], true)
  const named = own.find(one => one.code === code)?.text
  if (named !== undefined) return named
  return Object.hasOwn(refundReasons, code)
    ? say(refundReasons[code as keyof typeof refundReasons], lang)
    : code
}
/** Throws 400 where a case may not be given this reason, or not without pictures. */
export const needReason = async (
  tx: Db,
  staff: Staff,
  of: { type: ReasonType; code: string; pictures: number },
): Promise<void> => {
  const [row] = await tx
    .select()
    .from(after_sale_reason)
    .where(and(eq(after_sale_reason.type, of.type), eq(after_sale_reason.code, of.code)))
  faultless(staff, { reason_code: row ? undefined : ['请选择一个原因', 'Choose a reason'] })
  if (!row) return
  faultless(staff, {
    reason_code:
      row.status === 'off'
        ? [
            `“${row.text}”已停用，请选择其他原因`,
            `“${row.text}” is no longer given: choose another reason`,
          ]
        : undefined,
    images:
      row.need_evidence && of.pictures === 0
        ? [`“${row.text}”须上传凭证`, `“${row.text}” needs a picture as evidence`]
        : undefined,
  })
}
/** A refusal where no picture can be given: none is asked for. */
export const givenAlone = (code: string) => ({ type: 'reject' as const, code, pictures: 1 })
