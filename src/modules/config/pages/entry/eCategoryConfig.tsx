import { BanCircle as Ban, EyeOff, Search, Tick } from '@blueprintjs/icons'
import type { ComponentProps } from 'react'
import { eCategoryActions as actions } from '#commands/config/eCategories.ts'
import { eCategories as page } from '#commands/pages/config.ts'
import { classText } from '#src/areas/brand/trademark.ts'
import { commissionWords, E_CATEGORY_LEVELS, returnWords } from '#src/areas/merchant/eCategory.ts'
import { comma } from '#src/domain/text.ts'
import { State, type States } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Thumb } from '#src/kit/image.tsx'
import { Inspector } from '#src/kit/inspector.tsx'
import { Fact, Facts, Section } from '#src/kit/show.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { TreePage } from '#src/kit/treepage.tsx'
import { eCategoryConfig as calls, type ECategoryRow } from '../../contract/eCategoryConfig.ts'

const states: States<'shown' | 'hidden' | 'found' | 'above'> = {
  shown: { text: ['显示中', 'Shown'], tone: 'good', icon: Tick },
  hidden: { text: ['已隐藏', 'Hidden'], icon: EyeOff },
  found: { text: ['已隐藏，可搜索', 'Hidden, found by searching'], icon: Search },
  above: { text: ['随上级隐藏', 'Hidden with the one above'], icon: Ban },
}
const stateOf = ({ status, is_shown, is_searched }: ECategoryRow): keyof typeof states => {
  if (is_shown) return 'shown'
  if (status === 'on') return 'above'
  return is_searched ? 'found' : 'hidden'
}

const Rate = ({ of }: { of: ECategoryRow }) => {
  const now = useLang()
  const words = commissionWords(of.rate_bp, now)
  return of.own_rate_bp === null ? <span className="m-muted">{words}</span> : words
}
const Returns = ({ of }: { of: ECategoryRow }) => {
  const say = useSay()
  const days = say(['{n} 天', '{n} d'], { n: of.return_policy.days })
  return of.own_policy ? days : <span className="m-muted">{days}</span>
}
const figures = [
  { key: 'rate', title: ['佣金', 'Commission'], width: 84, cell: row => <Rate of={row} /> },
  { key: 'returns', title: ['退货', 'Returns'], width: 56, cell: row => <Returns of={row} /> },
  {
    key: 'licences',
    title: ['资质', 'Licences'],
    width: 48,
    cell: row => row.need_licenses.length || '',
  },
  { key: 'on_sale', title: ['在售', 'On sale'], width: 60, cell: row => row.on_sale },
  { key: 'products', title: ['商品', 'Products'], width: 60, cell: row => row.products_all },
] as const satisfies ComponentProps<typeof TreePage<ECategoryRow>>['figures']

const Line = ({ of }: { of: ECategoryRow }) => (
  <>
    {of.icon && <Thumb of={of.icon} />}
    <span className={of.is_shown ? 'm-name' : 'm-name m-muted'}>
      {of.level === 1 ? <b>{of.name}</b> : of.name}
    </span>
    {of.status === 'off' && <State of={stateOf(of)} in={states} />}
  </>
)
const Detail = ({ row }: { row: ECategoryRow }) => {
  const say = useSay()
  const now = useLang()
  const asAbove = <span className="m-muted">{say(['（沿用）', ' (inherited)'])}</span>
  return (
    <Inspector title={row.name} aside={<State of={stateOf(row)} in={states} />}>
      <Section title={say(['规则', 'Rules'])}>
        <Facts>
          <Fact label={say(['佣金', 'Commission'])}>
            {commissionWords(row.rate_bp, now)}
            {row.own_rate_bp === null && row.rate_bp !== null && asAbove}
          </Fact>
          <Fact wide label={say(['退货政策', 'Returns'])}>
            {returnWords(row.return_policy, now)}
            {!row.own_policy && asAbove}
          </Fact>
          <Fact wide label={say(['可用商标类别', 'Trademarks'])}>
            {row.trademark_classes.map(one => say(classText(one))).join(say(comma)) ||
              say(['沿用上级', 'As the one above'])}
          </Fact>
          <Fact wide label={say(['资质要求', 'Licences'])}>
            {row.need_licenses.join(say(comma)) || say(['无', 'None'])}
          </Fact>
        </Facts>
      </Section>
      <Section title={say(['商品', 'Products'])}>
        <Facts>
          <Fact label={say(['本级', 'This level'])}>{row.products}</Fact>
          <Fact label={say(['含下级', 'With sublevels'])}>{row.products_all}</Fact>
          <Fact label={say(['在售', 'On sale'])}>{row.on_sale}</Fact>
          <Fact label={say(['下级分类', 'Subcategories'])}>{row.children}</Fact>
        </Facts>
      </Section>
      <Section title={say(['展示', 'How it looks'])}>
        <Facts>
          <Fact label={say(['编号', 'Number'])}>{String(row.id)}</Fact>
          <Fact label={say(['图标', 'Icon'])}>{row.icon ? <Thumb of={row.icon} /> : '—'}</Fact>
          <Fact label={say(['配图', 'Picture'])}>
            {row.picture ? <Thumb of={row.picture} /> : '—'}
          </Fact>
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

/** The categories of the online mall: what holds for their products, and how many there are. */
export default function ECategories() {
  const say = useSay()
  const now = useLang()
  useExport(actions.export, calls.export)
  return (
    <TreePage
      name="e-categories"
      label={titleIn(page, now)}
      read={useRead(calls.lst, {})}
      actions={Object.values(actions)}
      create={actions.create}
      depth={E_CATEGORY_LEVELS}
      move={actions.move}
      wordsOf={row => row.name}
      draw={row => <Line of={row} />}
      figures={figures}
      brings={row =>
        say(['佣金{rate} · 退货{policy}', 'commission {rate} · returns {policy}'], {
          rate: commissionWords(row.rate_bp, now),
          policy: returnWords(row.return_policy, now),
        })
      }
      sum={rows =>
        say(['{n} 个分类 · {m} 件在售', '{n} categories · {m} on sale'], {
          n: rows.length,
          m: rows.reduce((sum, row) => sum + (row.parent_id === null ? row.on_sale : 0), 0),
        })
      }
      none={say(['选择一个分类', 'Choose a category'])}
    >
      {row => <Detail row={row} />}
    </TreePage>
  )
}
