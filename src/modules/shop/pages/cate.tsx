import { BanCircle as Ban, EyeOff, Tick } from '@blueprintjs/icons'
import type { ComponentProps } from 'react'
import { shopCategories as page } from '#commands/pages/shop.ts'
import { cateActions as actions } from '#commands/shop/cate.ts'
import { classText } from '#src/areas/brand/trademark.ts'
import { kindWords, rateWords, SHOP_CATEGORY_LEVELS } from '#src/areas/merchant/shopCategory.ts'
import { comma } from '#src/domain/text.ts'
import { State, type States } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Thumb } from '#src/kit/image.tsx'
import { Inspector } from '#src/kit/inspector.tsx'
import { Fact, Facts, Money, Section } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { TreePage } from '#src/kit/treepage.tsx'
import { shopCate as calls, type ShopCategoryRow } from '../contract/cate.ts'

const states: States<'shown' | 'hidden' | 'above'> = {
  shown: { text: ['展示中', 'Shown'], tone: 'good', icon: Tick },
  hidden: { text: ['已隐藏', 'Hidden'], icon: EyeOff },
  above: { text: ['随上级隐藏', 'Hidden with the one above'], icon: Ban },
}
const stateOf = ({ status, is_shown }: ShopCategoryRow): keyof typeof states => {
  if (is_shown) return 'shown'
  return status === 'on' ? 'above' : 'hidden'
}

const Rate = ({ of }: { of: ShopCategoryRow }) => {
  const words = rateWords(of.rate_bp, useLang())
  return of.own_rate_bp === null ? <span className="m-muted">{words}</span> : words
}
const figures = [
  { key: 'rate', title: ['默认费率', 'Take rate'], width: 84, cell: row => <Rate of={row} /> },
  {
    key: 'licences',
    title: ['资质', 'Licences'],
    width: 48,
    cell: row => row.need_licenses.length || '',
  },
  { key: 'stores', title: ['门店', 'Stores'], width: 60, cell: row => row.stores_all },
  { key: 'products', title: ['商品', 'Products'], width: 60, cell: row => row.products_all },
] as const satisfies ComponentProps<typeof TreePage<ShopCategoryRow>>['figures']

const Line = ({ of }: { of: ShopCategoryRow }) => (
  <>
    {of.icon && <Thumb of={of.icon} />}
    <span className={of.is_shown ? 'm-name' : 'm-name m-muted'}>
      {of.level === 1 ? <b>{of.name}</b> : of.name}
    </span>
    {of.status === 'off' && <State of={stateOf(of)} in={states} />}
  </>
)
const Rules = ({ row }: { row: ShopCategoryRow }) => {
  const say = useSay()
  const now = useLang()
  return (
    <Section title={say(['规则', 'Rules'])}>
      <Facts>
        <Fact label={say(['默认费率', 'Take rate'])}>
          {rateWords(row.rate_bp, now)}
          {row.own_rate_bp === null && row.rate_bp !== null && (
            <span className="m-muted">{say(['（沿用）', ' (inherited)'])}</span>
          )}
        </Fact>
        <Fact label={say(['可售类型', 'Product types'])}>{kindWords(row.product_kinds, now)}</Fact>
        <Fact wide label={say(['可用商标类别', 'Trademarks'])}>
          {row.trademark_classes.map(one => say(classText(one))).join(say(comma)) ||
            say(['沿用上级', 'Same as parent'])}
        </Fact>
        <Fact wide label={say(['必备资质', 'Licences'])}>
          {row.need_licenses.join(say(comma)) || say(['无', 'None'])}
        </Fact>
      </Facts>
    </Section>
  )
}
const Sales = ({ id }: { id: number }) => (
  <Answer of={useRead(calls.sales, { id })} lines={1}>
    {({ gmv_30d_cents }) => <Money cents={gmv_30d_cents} />}
  </Answer>
)
const Detail = ({ row }: { row: ShopCategoryRow }) => {
  const say = useSay()
  return (
    <Inspector title={row.name} aside={<State of={stateOf(row)} in={states} />}>
      <Rules row={row} />
      <Section title={say(['门店与商品', 'Stores and products'])}>
        <Facts>
          <Fact label={say(['门店', 'Stores'])}>{row.stores_all}</Fact>
          <Fact label={say(['营业中', 'Open'])}>{row.open_stores}</Fact>
          <Fact label={say(['商品', 'Products'])}>{row.products_all}</Fact>
          <Fact label={say(['在售', 'On sale'])}>{row.on_sale}</Fact>
          <Fact label={say(['30 天成交', '30-day sales'])}>
            <Sales id={row.id} />
          </Fact>
          <Fact label={say(['下级分类', 'Subcategories'])}>{row.children}</Fact>
        </Facts>
      </Section>
      <Section title={say(['展示', 'Display'])}>
        <Facts>
          <Fact label={say(['编号', 'Number'])}>{String(row.id)}</Fact>
          <Fact label={say(['图标', 'Icon'])}>{row.icon ? <Thumb of={row.icon} /> : '—'}</Fact>
          {row.took_over.length > 0 && (
            <Fact wide label={say(['并入的分类', 'Took over'])}>
              {row.took_over.join(say(comma))}
            </Fact>
          )}
        </Facts>
      </Section>
    </Inspector>
  )
}

/** The categories of stores: what new contracts begin with, and what each holds. */
export default function ShopCategories() {
  const say = useSay()
  const now = useLang()
  useExport(actions.export, calls.export)
  return (
    <TreePage
      name="shop-categories"
      label={titleIn(page, now)}
      read={useRead(calls.lst, {})}
      actions={Object.values(actions)}
      create={actions.create}
      depth={SHOP_CATEGORY_LEVELS}
      move={actions.move}
      wordsOf={row => row.name}
      draw={row => <Line of={row} />}
      figures={figures}
      brings={row =>
        say(['费率{rate} · 可售{kinds}', 'take rate {rate} · sells {kinds}'], {
          rate: rateWords(row.rate_bp, now),
          kinds: kindWords(row.product_kinds, now),
        })
      }
      sum={rows =>
        say(['{n} 个分类 · {m} 家门店', '{n} categories · {m} stores'], {
          n: rows.length,
          m: rows.reduce((sum, row) => sum + (row.parent_id === null ? row.stores_all : 0), 0),
        })
      }
      none={say(['选择一个分类', 'Choose a category'])}
    >
      {row => <Detail row={row} />}
    </TreePage>
  )
}
