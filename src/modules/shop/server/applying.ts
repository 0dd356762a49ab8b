import type { Application } from '#src/areas/application/application.table.ts'
import {
  agreedFields,
  allFields,
  changedOf,
  kindOfChange,
  type ApplicationBody,
} from '#src/areas/application/application.ts'
import { bodyOf, categoriesOf } from '#src/areas/application/applications.server.ts'
import { enqueue } from '#src/areas/application/applying.server.ts'
import { missingProofs, proofs } from '#src/areas/merchant/merchant.ts'
import { comma, say, type Text } from '#src/domain/text.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { faultless } from '#src/server/call/record.ts'
import { invalid, ruled } from '#src/server/call/refuse.ts'
import { merchants, type Merchant } from './merchants.ts'

/** Submits a draft as it stands; it is in audit from then on. */
export const submitDraft = async (context: WriteContext, was: Merchant): Promise<Merchant> => {
  const { tx, staff, now } = context
  const categories = await categoriesOf(tx, was.category_ids)
  const lacks = missingProofs(
    { ...was, has_legal_id: Boolean(was.legal_id_no), has_bank_no: Boolean(was.bank_no) },
    categories.flatMap(one => one.need_licenses),
    now,
  )
  if (lacks.length > 0) {
    const names = lacks.map(proof => say(proofs[proof], staff.lang)).join(say(comma, staff.lang))
    const text: Text = ['资料不全，请先补齐：{names}', 'Complete it first: {names}']
    throw ruled('incomplete', text, { names })
  }
  await enqueue(context, was, {
    kind: 'merchant',
    title: was.name,
    snapshot: bodyOf(was),
    changed: allFields,
  })
  return merchants.save(context, was, { status: 'auditing', status_reason: null })
}

/** Submits what is to be otherwise of a merchant that trades; it stays as it is until then. */
export const submitChange = async (
  context: WriteContext,
  was: Merchant,
  next: ApplicationBody,
): Promise<Application> => {
  const changed = changedOf(bodyOf(was), next)
  const agreed: Text = ['合同约定的内容由续约修改', 'What was agreed is changed by a renewal']
  faultless(
    context.staff,
    Object.fromEntries(
      agreedFields.filter(field => changed.includes(field)).map(field => [field, agreed]),
    ),
  )
  if (changed.length === 0)
    throw invalid({ name: say(['没有修改任何内容', 'Nothing was changed'], context.staff.lang) })
  return enqueue(context, was, {
    kind: kindOfChange(changed),
    title: next.name ?? was.name,
    snapshot: Object.fromEntries(changed.map(field => [field, next[field]])),
    changed,
  })
}
