import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { merchant, shop_category } from '#src/areas/merchant/merchant.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { shopAdd as calls } from '#src/modules/shop/contract/add.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshCredit, freshMerchant } from '../../help/merchants.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'] })
})
const DAY = 86_400
const now = unixNow()
const call = (what: Parameters<typeof send>[1], input: object = {}, token = me.token) =>
  send(app, what, input, { token })
const rowOf = async (id: number) =>
  (await database.db.select().from(merchant).where(eq(merchant.id, id)))[0]!
const whole = () => ({
  name: '测试餐饮有限公司',
  license_no: freshCredit(),
  license_expire_at: now + 900 * DAY,
  legal_name: '王大明',
  legal_id_no: '1101 0519 4912 3100 2x',
  contact_name: '李小红',
  contact_phone: '13900001111',
  city_id: 1,
  bank_kind: 'company',
  bank_holder: '测试餐饮有限公司',
  bank_name: '招商银行',
  bank_no: '6225 8800 1234 5678',
  contract_no: 'HT2026001',
  contract_start_at: now,
  contract_end_at: now + 365 * DAY,
  commission_bp: 1000,
})
const saved = async (more: object = {}) => {
  const said = await call(calls.saveDraft, { ...whole(), ...more })
  expect(said.status, said.message).toBe(200)
  return said.data as { id: number; version: number }
}

describe('the draft of a merchant', () => {
  it('is kept in its plain form, with whoever made it as its BD', async () => {
    const { id } = await saved()
    expect(await rowOf(id)).toMatchObject({
      status: 'draft',
      bd_admin_id: me.id,
      legal_id_no: '11010519491231002X',
      bank_no: '6225880012345678',
    })
  })
  it.each([
    ['a credit code with a wrong check digit', { license_no: '91350100M000100Y44' }, 'license_no'],
    ['an ID number with a wrong check digit', { legal_id_no: '110105194912310021' }, 'legal_id_no'],
    ['an account that is none', { bank_no: '123' }, 'bank_no'],
    [
      'a personal account of somebody else',
      { bank_kind: 'personal', bank_holder: '赵四' },
      'bank_holder',
    ],
    ['a company account of another name', { bank_holder: '别的公司' }, 'bank_holder'],
    ['a contract that ends before it starts', { contract_end_at: now - DAY }, 'contract_end_at'],
    ['a contract beyond the licence', { contract_end_at: now + 901 * DAY }, 'contract_end_at'],
    ['a category that is none', { category_ids: [2_000_000_000] }, 'category_ids'],
  ])('with %s is refused at the field', async (_, more, at) => {
    const said = await call(calls.saveDraft, { ...whole(), ...more })
    expect([said.status, Object.keys(said.data.fields)]).toEqual([400, [at]])
  })
  it('may lack what is not known yet, and is completed later', async () => {
    const license_no = freshCredit()
    const bare = { name: '新商户', license_no, legal_name: '王大明', city_id: 1 }
    const { id, version } = (await call(calls.saveDraft, bare)).data
    const [category] = await database.db.select().from(shop_category).limit(1)
    const full = { ...whole(), license_no, id, version, category_ids: [category!.id] }
    expect((await call(calls.saveDraft, full)).status).toBe(200)
    const shown = (await call(calls.detail, { id })).data
    expect(shown.categories).toEqual([
      { id: category!.id, name: category!.name, need_licenses: category!.need_licenses },
    ])
    expect(shown.bank_no).toBe('6225********5678')
  })
  it('keeps what is guarded and was not sent', async () => {
    const made = await saved()
    const { legal_id_no: _, bank_no: __, contact_phone: ___, ...rest } = whole()
    const { license_no } = await rowOf(made.id)
    const said = await call(calls.saveDraft, {
      ...rest,
      ...made,
      license_no,
      name: '新名称',
      bank_holder: '新名称',
    })
    expect(said.status, said.message).toBe(200)
    expect(await rowOf(made.id)).toMatchObject({
      name: '新名称',
      legal_id_no: '11010519491231002X',
      bank_no: '6225880012345678',
      contact_phone: '13900001111',
    })
  })
  it('is not written over what somebody else saved meanwhile', async () => {
    const made = await saved()
    const { license_no } = await rowOf(made.id)
    expect((await call(calls.saveDraft, { ...whole(), ...made, license_no })).status).toBe(200)
    const late = await call(calls.saveDraft, { ...whole(), ...made, license_no })
    expect(late.status).toBe(409)
    expect(late.text).not.toContain('6225880012345678')
  })
  it('alone is changed here: a merchant that trades is not', async () => {
    const own = await freshMerchant(database)
    const said = await call(calls.saveDraft, {
      ...whole(),
      license_no: own.license_no,
      id: own.id,
      version: own.version,
    })
    expect([said.status, said.data.rule]).toEqual([422, 'wrong_state'])
    expect((await rowOf(own.id)).name).toBe(own.name)
  })
})

describe('a credit code', () => {
  it('that a merchant has tells whose it is, while it is typed and when it is saved', async () => {
    const bd = await addStaff(database, { perms: [] })
    const own = await freshMerchant(database, { bd_admin_id: bd.id, city_id: 2 })
    const typed = own.license_no.toLowerCase()
    const { list } = (await call(calls.checkDuplicate, { license_no: typed })).data
    expect(list).toEqual([
      expect.objectContaining({ id: own.id, name: own.name, bd_name: bd.account }),
    ])
    expect(
      (await call(calls.checkDuplicate, { license_no: typed, but: own.id })).data.list,
    ).toEqual([])
    const said = await call(calls.saveDraft, { ...whole(), license_no: typed })
    expect(said.status).toBe(422)
    expect(said.data.fields.license_no).toContain(bd.account)
  })
})
