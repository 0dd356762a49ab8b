import { and, asc, eq, ilike, ne, sql } from 'drizzle-orm'
import { categoriesOf } from '#src/areas/application/applications.server.ts'
import { openOf } from '#src/areas/application/applying.server.ts'
import { creditCodeOf } from '#src/areas/merchant/identity.ts'
import { merchant, shop_category } from '#src/areas/merchant/merchant.table.ts'
import { contractFault, holderFault } from '#src/areas/merchant/merchant.ts'
import { isShownCategory, newContractRate } from '#src/areas/merchant/shopCategories.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { needCity } from '#src/areas/place/places.server.ts'
import type { Text } from '#src/domain/text.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { faultless, unlessTaken } from '#src/server/call/record.ts'
import { invalid, ruled } from '#src/server/call/refuse.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { shopAdd as contract } from '../contract/add.ts'
import { submitChange, submitDraft } from './applying.ts'
import { standingOf } from './bankCheck.ts'
import { readPicture } from './licence.ts'
import {
  draftOf,
  heldDraft,
  heldFor,
  merchants,
  refuseTaken,
  shownBank,
  type Merchant,
} from './merchants.ts'

type Draft = Pick<
  Merchant,
  | 'name'
  | 'legal_name'
  | 'license_expire_at'
  | 'category_ids'
  | 'bank_kind'
  | 'contract_start_at'
  | 'contract_end_at'
> & { bank_holder: string }
/** What must agree with each other in an application, wherever it stands. */
const sound = async ({ tx, staff, now }: WriteContext, of: Draft): Promise<void> => {
  const found = await categoriesOf(tx, of.category_ids)
  const gone: Text = ['有类目不存在，请重新选择', 'There is no such category: choose again']
  faultless(staff, {
    category_ids: found.length === new Set(of.category_ids).size ? undefined : gone,
    bank_holder: holderFault(of),
    contract_end_at:
      of.contract_end_at === null
        ? undefined
        : contractFault(
            of.contract_end_at,
            {
              start_at: of.contract_start_at,
              current_end_at: null,
              license_expire_at: of.license_expire_at,
            },
            now,
          ),
  })
}

type Fields = Omit<Parameters<Handler<typeof contract.saveDraft>>[0], 'id' | 'version'>
const held = (id: number, version: number | undefined) => {
  if (version === undefined)
    throw invalid({ version: ['缺少版本', 'It needs the version that was read'] })
  return { id, version }
}
const addDraft = async (context: WriteContext, fields: Fields): Promise<Merchant> => {
  await sound(context, fields)
  await refuseTaken(context, fields.license_no)
  const usual = fields.commission_bp ?? (await newContractRate(context.tx, fields.category_ids))
  const given = {
    contact_name: '',
    contact_phone: '',
    ...fields,
    commission_bp: usual ?? undefined,
  }
  return unlessTaken(merchants.add(context, await draftOf(context, given)), () =>
    ruled('license_taken', ['该信用代码刚刚被录入', 'It was entered just now']),
  )
}
const keepDraft = async (
  context: WriteContext,
  was: Merchant,
  fields: Fields,
): Promise<Merchant> => {
  await sound(context, fields)
  if (fields.license_no !== was.license_no) await refuseTaken(context, fields.license_no)
  return merchants.save(context, was, fields)
}

const handlers = {
  detail: async ({ id }, { db, staff, now, install }) => {
    const live = await merchants.read(db, staff, id)
    const open = await openOf(db, id)
    const isAsked = live.status !== 'draft' && open?.state === 'need_more'
    const row = isAsked ? { ...live, ...open.snapshot } : live
    const [beside] = await db
      .select({ city_name: city.city_name, bd_name: sql<string>`coalesce(${admin.name}, '')` })
      .from(merchant)
      .innerJoin(city, eq(city.id, merchant.city_id))
      .leftJoin(admin, eq(admin.id, merchant.bd_admin_id))
      .where(eq(merchant.id, id))
    return {
      ...row,
      ...beside!,
      legal_id_no: row.legal_id_no ?? '',
      categories: await categoriesOf(db, row.category_ids),
      bank_holder: row.bank_holder ?? '',
      bank_name: row.bank_name ?? '',
      bank_no: shownBank(row),
      bank: await standingOf(db, live, { now, install }),
      contract_no: row.contract_no ?? '',
      application: open
        ? { kind: open.kind, state: open.state, reason: open.reason ?? '', asked: open.asked }
        : null,
    }
  },
  categories: async ({ page, pageSize, keyword }, { db }) => {
    const where = and(
      isShownCategory,
      eq(shop_category.level, 2),
      keyword ? ilike(shop_category.name, like(keyword)) : undefined,
    )
    const rows = await db
      .select({
        id: shop_category.id,
        name: shop_category.name,
        need_licenses: shop_category.need_licenses,
      })
      .from(shop_category)
      .where(where)
      .orderBy(asc(shop_category.sort), asc(shop_category.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list: rows, ...(await countOf(db, shop_category, where)) }
  },
  checkDuplicate: async ({ license_no, but }, { db }) => {
    const rows = await db
      .select({
        id: merchant.id,
        name: merchant.name,
        bd_name: sql<string>`coalesce(${admin.name}, '')`,
        city_name: city.city_name,
        status: merchant.status,
      })
      .from(merchant)
      .innerJoin(city, eq(city.id, merchant.city_id))
      .leftJoin(admin, eq(admin.id, merchant.bd_admin_id))
      .where(
        and(
          eq(merchant.license_no, creditCodeOf(license_no)),
          but === undefined ? undefined : ne(merchant.id, but),
        ),
      )
      .limit(5)
    return { list: rows }
  },
  ocrLicense: async ({ image }, context) => readPicture(context, image),
  saveDraft: async ({ id, version, ...fields }, context) => {
    needCity(context.staff, fields.city_id)
    if (id === undefined) return addDraft(context, fields)
    return keepDraft(context, await heldDraft(context, held(id, version)), fields)
  },
  submit: async ({ id, version, ...fields }, context) => {
    needCity(context.staff, fields.city_id)
    if (id === undefined) return submitDraft(context, await addDraft(context, fields))
    const was = await heldFor(context, 'apply', held(id, version))
    if (was.status === 'draft') return submitDraft(context, await keepDraft(context, was, fields))
    // What was asked for already and is not sent again, as it is shown masked, is still asked for.
    const open = await openOf(context.tx, was.id)
    const given = {
      ...(open?.state === 'need_more' && open.snapshot),
      ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
    }
    const next = { ...was, ...given, bank_holder: fields.bank_holder }
    await sound(context, { ...next, contract_end_at: null })
    if (next.license_no !== was.license_no) await refuseTaken(context, next.license_no)
    await submitChange(context, was, given)
    return was
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const shopAddServer = implement(contract, handlers)
