/** Stores out of a sheet: each line is a draft, as the form of a new store makes it. */
import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { isLeafCategory } from '#src/areas/application/storeJudge.server.ts'
import { brand } from '#src/areas/brand/brand.table.ts'
import { mall_floor } from '#src/areas/mall/mall.table.ts'
import { merchant, shop_category, store } from '#src/areas/merchant/merchant.table.ts'
import {
  lineFault,
  LineFault,
  merchantsNamed,
  only,
  tellLines,
  theirs,
  typedCell,
  type Owner,
} from '#src/areas/merchant/sheetNames.server.ts'
import {
  hoursTyped,
  isOutside,
  nameKey,
  pathKey,
  priceTyped,
  samePlace,
  storeColumns,
  type SheetPlace,
  type StoreKey,
} from '#src/areas/merchant/storeSheet.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import {
  linesAgain,
  templateOf,
  tryImport,
  writeLines,
  type CellLine,
  type Foreseen,
  type Import,
  type Reader,
} from '#src/areas/sheet/importing.server.ts'
import { grouped } from '#src/domain/grouped.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db, Handler, Staff, WriteContext } from '#src/server/call/implement.ts'
import { parseInput } from '#src/server/call/parse.ts'
import { within } from '#src/server/call/scope.ts'
import { scoped } from '#src/server/call/scoped.ts'
import { plainName } from '#src/server/db/names.ts'
import { whole } from '#src/server/db/whole.ts'
import { storeAdd } from '../contract/storeAdd.ts'
import { stores as contract } from '../contract/stores.ts'
import { keepDraft, type DraftFields } from './storeAdd.ts'

type Named = { id: number; name: string }
type Standing = SheetPlace & Named & { merchant_id: number; owner: string; city_id: number }
/** What lines name, by how names are compared: a file has thousands of lines. */
type Known = {
  owners: ReadonlyMap<string, readonly Owner[]>
  categories: ReadonlyMap<string, readonly Named[]>
  cities: ReadonlyMap<string, readonly Named[]>
  malls: ReadonlyMap<string, readonly (Named & { city_id: number })[]>
  floors: ReadonlyMap<number, readonly (Named & { mid: number })[]>
  brands: ReadonlyMap<string, readonly Named[]>
  stores: ReadonlyMap<string, readonly Standing[]>
}
type Line = CellLine<StoreKey>

const textsOf = (lines: readonly Line[], key: StoreKey) =>
  sql`any(${sql.param([...new Set(lines.map(one => nameKey(one.cells[key])))])}::text[])`
/** Stores that are called so, everybody’s: the form tells them too. */
const standing = (db: Db, lines: readonly Line[]) =>
  db
    .select({
      id: store.id,
      merchant_id: store.merchant_id,
      owner: merchant.name,
      city_id: store.city_id,
      name: store.name,
      mall_id: store.mall_id,
      floor: sql<string>`coalesce(${store.floor}, '')`,
      door: sql<string>`coalesce(${store.door_no}, '')`,
      address: store.address,
    })
    .from(store)
    .innerJoin(merchant, eq(merchant.id, store.merchant_id))
    .where(
      and(
        eq(store.kind, 'offline'),
        ne(store.status, 'closed'),
        sql`${plainName(store.name)} = ${textsOf(lines, 'name')}`,
      ),
    )
/** Leaves with the path that leads to each. */
const leaves = async (db: Db) => {
  const rows = await db
    .select({
      id: shop_category.id,
      name: shop_category.name,
      above: sql<
        string | null
      >`(select u.name from shop_category u where u.id = ${whole(shop_category.parent_id)})`,
    })
    .from(shop_category)
    .where(isLeafCategory)
  return rows.flatMap(({ above, ...one }) => [
    { ...one, key: pathKey(one.name) },
    ...(above === null ? [] : [{ ...one, key: pathKey(`${above}/${one.name}`) }]),
  ])
}
const readKnown = async ({ tx: db, staff }: Reader, lines: readonly Line[]): Promise<Known> => {
  const found = await merchantsNamed(
    db,
    staff,
    lines.map(one => one.cells.merchant),
  )
  const malls = await db
    .select({ id: mall.id, name: mall.name, city_id: mall.city_id })
    .from(mall)
    .where(
      and(
        sql`${plainName(mall.name)} = ${textsOf(lines, 'mall')}`,
        ne(mall.status, 'closed'),
        within(staff.scope, { city: mall.city_id, mall: mall.id }),
      ),
    )
  const floors =
    malls.length === 0
      ? []
      : await db
          .select({ id: mall_floor.id, name: mall_floor.name, mid: mall_floor.mid })
          .from(mall_floor)
          .where(
            inArray(
              mall_floor.mid,
              malls.map(one => one.id),
            ),
          )
  const cities = await db.select({ id: city.id, name: city.city_name }).from(city)
  const brands = await db
    .select({ id: brand.id, name: brand.name })
    .from(brand)
    .where(and(eq(brand.state, 'on'), sql`${plainName(brand.name)} = ${textsOf(lines, 'brand')}`))
  const byName = <T extends Named>(rows: readonly T[]) => grouped(rows, one => nameKey(one.name))
  return {
    owners: found,
    categories: grouped(await leaves(db), one => one.key),
    cities: byName(cities),
    malls: byName(malls),
    floors: grouped(floors, one => one.mid),
    brands: byName(brands),
    stores: byName(await standing(db, lines)),
  }
}

const words = {
  merchant: ['商户', 'merchant'],
  category: ['末级分类', 'category'],
  city: ['城市', 'city'],
  mall: ['商场', 'mall'],
  floor: ['楼层', 'floor'],
  brand: ['品牌', 'brand'],
} as const satisfies Record<string, Text>
/** The mall and floor that a line names, in the city that it names or else its mall's or merchant's. */
const placeOf = ({ cells }: Line, owner: Owner, known: Known) => {
  const named =
    cells.city === ''
      ? undefined
      : only(known.cities.get(nameKey(cells.city)), cells.city, words.city)
  if (isOutside(cells.mall)) {
    if (cells.address === '')
      throw lineFault('商场外的门店须填写“地址”', 'Outside malls an address is required')
    if (cells.floor !== '')
      throw lineFault(
        '商场外的门店没有楼层：请填写商场，或清空“楼层”',
        'Outside a mall there is no floor: name the mall, or empty the floor',
      )
    return { city_id: named?.id ?? owner.city_id, mid: 0, floor_id: null }
  }
  const found = known.malls.get(nameKey(cells.mall))
  const city_id = named?.id ?? (found?.length === 1 ? found[0]!.city_id : owner.city_id)
  const at = only(
    found?.filter(one => one.city_id === city_id),
    cells.mall,
    theirs(words.mall),
  )
  const floors = known.floors.get(at.id)?.filter(one => nameKey(one.name) === nameKey(cells.floor))
  const floor = cells.floor === '' ? null : only(floors, cells.floor, words.floor)
  return { city_id, mid: at.id, floor_id: floor?.id ?? null }
}
const fieldsOf = (line: Line, owner: Owner, known: Known) => {
  const { cells } = line
  const brand_id =
    cells.brand === ''
      ? null
      : only(known.brands.get(nameKey(cells.brand)), cells.brand, words.brand).id
  const hours = typedCell(hoursTyped(cells.hours))
  return {
    merchant_id: owner.id,
    ...placeOf(line, owner, known),
    name: cells.name,
    category_id: only(known.categories.get(pathKey(cells.category)), cells.category, words.category)
      .id,
    brand_id,
    door_no: cells.door,
    address: cells.address,
    ...(cells.phone !== '' && { phone: cells.phone }),
    ...(hours.week.length > 0 && { hours }),
    avg_price_cents: typedCell(priceTyped(cells.price)),
  }
}
/** The column in which a field of the form stands. */
const columnOf: Readonly<Record<string, StoreKey>> = {
  merchant_id: 'merchant',
  category_id: 'category',
  city_id: 'city',
  mid: 'mall',
  floor_id: 'floor',
  door_no: 'door',
  avg_price_cents: 'price',
  brand_id: 'brand',
}
/** The input of the form that a line makes, or the form's own words of what is wrong. */
const parsed = (fields: object, { lang }: Pick<Staff, 'lang'>): DraftFields => {
  const read = parseInput(storeAdd.saveDraft.input, fields, lang)
  if ('input' in read) return read.input as DraftFields
  const faults = Object.entries(read.fields).map(([path, text]) => {
    const field = path.split('.')[0]!
    const title = storeColumns.find(one => one.key === (columnOf[field] ?? field))?.title
    return { zh: `“${title?.[0] ?? field}”${text}`, en: `${title?.[1] ?? field}: ${text}` }
  })
  throw lineFault(faults.map(one => one.zh).join('；'), faults.map(one => one.en).join('; '))
}

type Told = Foreseen<DraftFields>
const inactive: Text = [
  '商户已冻结、终止或未通过审核，不能新增门店',
  'Its merchant may not trade now: it gets no new store',
]
const draftOf = ({ name }: Owner): Text => [`新增草稿 · ${name}`, `A draft of ${name}`]
/** A store of the same name in the city deserves a look; another place is another store. */
const twinWords = (owner: Owner, { id, owner: of }: Standing): Text => [
  `${draftOf(owner)[0]}；同城已有同名门店（编号 ${id}，${of}），请确认不是同一家`,
  `${draftOf(owner)[1]}; store ${id} of ${of} has the name in this city: be sure it is another`,
]
/** What would become of a line; throws LineFault. */
const foreseenOf = (line: Line, known: Known, staff: Pick<Staff, 'lang'>): Told => {
  const { row, cells } = line
  const owner = only(
    known.owners.get(nameKey(cells.merchant)),
    cells.merchant,
    theirs(words.merchant),
  )
  const at = isOutside(cells.mall) ? [] : (known.malls.get(nameKey(cells.mall)) ?? [])
  const place = { floor: cells.floor, door: cells.door, address: cells.address }
  const called = known.stores.get(nameKey(cells.name)) ?? []
  const malls = at.length === 0 ? [0] : at.map(one => one.id)
  const there = called.find(
    one =>
      one.merchant_id === owner.id && malls.some(mall_id => samePlace(one, { ...place, mall_id })),
  )
  const told = { row, name: cells.name, version: null }
  if (there)
    return {
      ...told,
      state: 'already',
      text: [
        `已有此门店（编号 ${there.id}），不会重复新增`,
        `It is there already, number ${there.id}`,
      ],
    }
  if (owner.status !== 'active') throw new LineFault(inactive)
  const given = parsed(fieldsOf(line, owner, known), staff)
  const twin = called.find(one => one.city_id === given.city_id)
  return { ...told, state: 'ready', given, text: twin ? twinWords(owner, twin) : draftOf(owner) }
}
const twinKey = (of: DraftFields): string =>
  JSON.stringify([
    of.merchant_id,
    of.mid,
    of.floor_id,
    ...[of.name, of.door_no, of.address].map(nameKey),
  ])

/** Stores by their lines: whose, what, where, each told by itself and beside those above it. */
const storeImport: Import<StoreKey, DraftFields> = {
  title: ['门店导入', 'Import of stores'],
  columns: storeColumns,
  foresee: async (context, lines) => {
    const known = await readKnown(context, lines)
    return tellLines(lines, line => foreseenOf(line, known, context.staff), twinKey)
  },
}

/** The draft of a line, under the guards of the form that makes one by hand. */
const makeDraft = scoped(
  storeAdd.saveDraft,
  async (input, context: WriteContext) => (await keepDraft(context, input as DraftFields)).row,
)
/** Holds the merchants of some lines, in one order for everybody: whoever imports too waits. */
const holdOwners = (tx: Db, ids: readonly number[]) =>
  tx
    .select({ id: merchant.id })
    .from(merchant)
    .where(inArray(merchant.id, [...ids]))
    .orderBy(merchant.id)
    .for('no key update')

type Calls = 'importTemplate' | 'readImport' | 'import'
export const storeImportHandlers = {
  importTemplate: async (_, context) => templateOf(storeImport, context),
  readImport: async (asked, context) => tryImport(storeImport, asked, context),
  import: async ({ lines }, context) => {
    const first = await linesAgain(storeImport, context, lines)
    const ids = first.ready.map(one => one.given.merchant_id)
    if (ids.length > 0) await holdOwners(context.tx, ids)
    // What others imported meanwhile is there already.
    const { ready, told } = ids.length > 0 ? await linesAgain(storeImport, context, lines) : first
    const written = await writeLines(context, ready, async (inside, given) => {
      await makeDraft(given, inside)
      return { made: true, text: ['已存为草稿', 'Kept as a draft'] }
    })
    return { lines: [...told, ...written].sort((a, b) => a.row - b.row) }
  },
} satisfies { [K in Calls]: Handler<(typeof contract)[K]> }
