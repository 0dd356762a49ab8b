/** Online shops out of a sheet: each line is a draft, as the form of a new shop makes it. */
import { and, eq, ne, sql } from 'drizzle-orm'
import { brand } from '#src/areas/brand/brand.table.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { shopLeaves } from '#src/areas/merchant/onlineShops.server.ts'
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
  categoriesTyped,
  shopColumns,
  shopTypeTyped,
  type ShopKey,
} from '#src/areas/merchant/shopSheet.ts'
import { isOutside, nameKey, pathKey } from '#src/areas/merchant/storeSheet.ts'
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
import type { Handler, Staff, WriteContext } from '#src/server/call/implement.ts'
import { parseInput } from '#src/server/call/parse.ts'
import { within } from '#src/server/call/scope.ts'
import { scoped } from '#src/server/call/scoped.ts'
import { plainName } from '#src/server/db/names.ts'
import { shopAdd } from '../contract/addStores.ts'
import type { shops as contract } from '../contract/stores.ts'
import { keptDraft, type SentDraft } from './addStores.ts'

type Line = CellLine<ShopKey>
type Named = { id: number; name: string }
/** What lines name, by how names are compared: a file has thousands of lines. */
type Known = {
  owners: ReadonlyMap<string, readonly Owner[]>
  leaves: ReadonlyMap<string, readonly Named[]>
  cities: ReadonlyMap<string, readonly Named[]>
  malls: ReadonlyMap<string, readonly (Named & { city_id: number })[]>
  brands: ReadonlyMap<string, readonly Named[]>
  shops: ReadonlyMap<string, readonly (Named & { merchant_id: number })[]>
}
const words = {
  merchant: ['商户', 'merchant'],
  category: ['末级电商分类', 'category'],
  city: ['城市', 'city'],
  mall: ['商场', 'mall'],
  brand: ['品牌', 'brand'],
} as const satisfies Record<string, Text>
const byName = <T extends Named>(rows: readonly T[]) => grouped(rows, one => nameKey(one.name))
const textsOf = (lines: readonly Line[], key: ShopKey) =>
  sql`any(${sql.param([...new Set(lines.map(one => nameKey(one.cells[key])))])}::text[])`

const readKnown = async ({ tx: db, staff }: Reader, lines: readonly Line[]): Promise<Known> => {
  const owners = await merchantsNamed(
    db,
    staff,
    lines.map(one => one.cells.merchant),
  )
  const leaves = (await shopLeaves(db)).flatMap(one => {
    // A leaf goes by its own name, and by that with the one above it.
    const last = one.name.split('/').at(-1)!
    return [...new Set([pathKey(last), pathKey(one.name)])].map(key => ({ ...one, key }))
  })
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
  const brands = await db
    .select({ id: brand.id, name: brand.name })
    .from(brand)
    .where(and(eq(brand.state, 'on'), sql`${plainName(brand.name)} = ${textsOf(lines, 'brand')}`))
  const there = await db
    .select({ id: store.id, name: store.name, merchant_id: store.merchant_id })
    .from(store)
    .where(
      and(
        eq(store.kind, 'online'),
        ne(store.status, 'closed'),
        sql`${plainName(store.name)} = ${textsOf(lines, 'name')}`,
      ),
    )
  return {
    owners,
    leaves: grouped(leaves, one => one.key),
    cities: byName(await db.select({ id: city.id, name: city.city_name }).from(city)),
    malls: byName(malls),
    brands: byName(brands),
    shops: byName(there),
  }
}

/** The mall that a line names, in the city that it names or else its mall's or merchant's. */
const placeOf = ({ cells }: Line, owner: Owner, known: Known) => {
  const named =
    cells.city === ''
      ? undefined
      : only(known.cities.get(nameKey(cells.city)), cells.city, words.city)
  if (isOutside(cells.mall)) return { city_id: named?.id ?? owner.city_id, mid: 0 }
  const found = known.malls.get(nameKey(cells.mall))
  const city_id = named?.id ?? (found?.length === 1 ? found[0]!.city_id : owner.city_id)
  const here = found?.filter(one => one.city_id === city_id)
  return { city_id, mid: only(here, cells.mall, theirs(words.mall)).id }
}
const fieldsOf = (line: Line, owner: Owner, known: Known) => {
  const { cells } = line
  const shop_type = typedCell(shopTypeTyped(cells.type))
  const place = placeOf(line, owner, known)
  if (shop_type === 'flagship' && place.mid !== 0)
    throw lineFault('品牌旗舰店不属于商场：请清空“商场”', 'A flagship is of no mall: empty it')
  if (shop_type !== 'flagship' && place.mid === 0)
    throw lineFault('商场云店与自营店须填写“商场”', 'A cloud or self-run shop names its mall')
  const categories = categoriesTyped(cells.category).map(
    cell => only(known.leaves.get(pathKey(cell)), cell, words.category).id,
  )
  return {
    merchant_id: owner.id,
    shop_type,
    ...place,
    name: cells.name,
    category_ids: [...new Set(categories)],
    brand_id:
      cells.brand === ''
        ? null
        : only(known.brands.get(nameKey(cells.brand)), cells.brand, words.brand).id,
    phone: cells.phone,
    ship_area: cells.ship_area,
  }
}
/** The column in which a field of the form stands. */
const columnOf: Readonly<Record<string, ShopKey>> = {
  merchant_id: 'merchant',
  shop_type: 'type',
  city_id: 'city',
  mid: 'mall',
  category_ids: 'category',
  brand_id: 'brand',
}
/** The input of the form that a line makes, or the form's own words of what is wrong. */
const parsed = (fields: object, { lang }: Pick<Staff, 'lang'>): SentDraft => {
  const read = parseInput(shopAdd.saveDraft.input, fields, lang)
  if ('input' in read) return read.input as SentDraft
  const faults = Object.entries(read.fields).map(([path, text]) => {
    const field = path.split('.')[0]!
    const title = shopColumns.find(one => one.key === (columnOf[field] ?? field))?.title
    return { zh: `“${title?.[0] ?? field}”${text}`, en: `${title?.[1] ?? field}: ${text}` }
  })
  throw lineFault(faults.map(one => one.zh).join('；'), faults.map(one => one.en).join('; '))
}

/** What would become of a line; throws LineFault. */
const foreseenOf = (line: Line, known: Known, staff: Pick<Staff, 'lang'>): Foreseen<SentDraft> => {
  const { row, cells } = line
  const owner = only(
    known.owners.get(nameKey(cells.merchant)),
    cells.merchant,
    theirs(words.merchant),
  )
  const told = { row, name: cells.name, version: null }
  const there = known.shops.get(nameKey(cells.name))?.find(one => one.merchant_id === owner.id)
  if (there)
    return {
      ...told,
      state: 'already',
      text: [
        `已有此店铺（编号 ${there.id}），不会重复新增`,
        `It is there already, number ${there.id}`,
      ],
    }
  if (owner.status !== 'active')
    throw new LineFault([
      '商户已冻结、终止或未通过审核，不能新增店铺',
      'Its merchant may not trade now: it gets no new shop',
    ])
  const given = parsed(fieldsOf(line, owner, known), staff)
  return {
    ...told,
    state: 'ready',
    given,
    text: [`新增草稿 · ${owner.name}`, `A draft of ${owner.name}`],
  }
}
const shopImport: Import<ShopKey, SentDraft> = {
  title: ['线上店铺导入', 'Import of online shops'],
  columns: shopColumns,
  foresee: async (context, lines) => {
    const known = await readKnown(context, lines)
    return tellLines(
      lines,
      line => foreseenOf(line, known, context.staff),
      of => JSON.stringify([of.merchant_id, nameKey(of.name)]),
    )
  },
}
/** The draft of a line, under the guards of the form that makes one by hand. */
const makeDraft = scoped(
  shopAdd.saveDraft,
  async (input, context: WriteContext) => (await keptDraft(context, input as SentDraft)).row,
)
/** Holds the merchants of some lines, in one order for everybody: whoever imports too waits. */
const holdOwners = ({ tx }: WriteContext, ids: readonly number[]) =>
  tx
    .select({ id: merchant.id })
    .from(merchant)
    .where(sql`${merchant.id} in ${[...ids]}`)
    .orderBy(merchant.id)
    .for('no key update')

type Calls = 'importTemplate' | 'readImport' | 'import'
export const shopImportHandlers = {
  importTemplate: async (_, context) => templateOf(shopImport, context),
  readImport: async (asked, context) => tryImport(shopImport, asked, context),
  import: async ({ lines }, context) => {
    const first = await linesAgain(shopImport, context, lines)
    const ids = first.ready.map(one => one.given.merchant_id)
    if (ids.length > 0) await holdOwners(context, ids)
    // What others imported meanwhile is there already.
    const { ready, told } = ids.length > 0 ? await linesAgain(shopImport, context, lines) : first
    const written = await writeLines(context, ready, async (inside, given) => {
      await makeDraft(given, inside)
      return { made: true, text: ['已存为草稿', 'Kept as a draft'] }
    })
    return { lines: [...told, ...written].sort((a, b) => a.row - b.row) }
  },
} satisfies { [K in Calls]: Handler<(typeof contract)[K]> }
