import {
  BanCircle as Ban,
  Disable,
  GitMerge,
  Star,
  Tick,
  TickCircle,
  WarningSign,
} from '@blueprintjs/icons'
import { useState } from 'react'
import { brandActions } from '#commands/brand/brands.ts'
import type { Arranged } from '#commands/record.ts'
import { authorisations, brandStates, type Authorisation } from '#src/areas/brand/brand.ts'
import { brandLines } from '#src/areas/brand/brandLines.ts'
import { classText } from '#src/areas/brand/trademark.ts'
import type { Result } from '#src/contract/call.ts'
import { aside, comma } from '#src/domain/text.ts'
import {
  idColumn,
  numberColumn,
  SmallTable,
  State,
  stateColumn,
  type States,
  textColumn,
  timeColumn,
} from '#src/kit/cells.tsx'
import { useRead, useWrite } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Portrait, Thumb } from '#src/kit/image.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { LinesImport } from '#src/kit/lines-import.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { Expiry } from '#src/kit/submission.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, usePane, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { brands as calls, type BrandRow } from '../contract/index.ts'
import '../parts/brand.css'

const states: States<'recommended' | BrandRow['state']> = {
  recommended: { text: ['推荐', 'Recommended'], tone: 'good', icon: Star },
  on: { text: brandStates.on, tone: 'good', icon: Tick },
  off: { text: brandStates.off, icon: Ban },
  merged: { text: brandStates.merged, icon: GitMerge },
}
const authorised: States<Authorisation> = {
  soon: { text: authorisations.soon, tone: 'warn', icon: WarningSign },
  ended: { text: authorisations.ended, tone: 'bad', icon: Disable },
  valid: { text: authorisations.valid, tone: 'good', icon: TickCircle },
  none: { text: authorisations.none },
}
const stateOf = ({ recommended, state }: BrandRow) => (recommended ? 'recommended' : state)

const columns: readonly Column<BrandRow>[] = [
  {
    key: 'name',
    title: ['品牌', 'Brand'],
    width: 150,
    grow: true,
    cell: row => (
      <>
        <Thumb of={row.logo} /> {row.name}
        {row.en_name && <span className="m-muted"> {row.en_name}</span>}
      </>
    ),
    words: row => `${row.name} ${row.en_name}`.trim(),
  },
  textColumn('initial', ['首字母', 'Letter'], 64),
  { ...textColumn('category_name', ['分类', 'Category'], 120), grow: true },
  { ...textColumn('company', ['公司', 'Company'], 150), grow: true },
  stateColumn('authorisation', ['授权', 'Authorisation'], 122, authorised),
  numberColumn('stores', ['门店', 'Stores'], 64),
  numberColumn('goods', ['在售', 'On sale'], 64),
  numberColumn('followers', ['关注', 'Followers'], 76),
  {
    key: 'gmv_30d_cents',
    title: ['30 天成交额', 'GMV, 30 d'],
    width: 110,
    align: 'end',
    cell: row => <Money cents={row.gmv_30d_cents} />,
  },
  {
    key: 'state',
    title: ['状态', 'State'],
    width: 92,
    cell: row => <State of={stateOf(row)} in={states} />,
  },
  { ...timeColumn('auth_end_at', ['授权到期', 'Authorised until'], 120), optional: true },
  idColumn,
]

/** Brands that this one may be the same as: what decides on a merge. */
const Twins = ({ row }: { row: BrandRow }) => {
  const say = useSay()
  if (row.twins.length === 0) return null
  return (
    <Section title={say(['疑似重复（{n}）', 'Possible duplicates ({n})'], { n: row.twins.length })}>
      <SmallTable
        head={[
          ['品牌', 'Brand'],
          ['编号', 'ID'],
        ]}
        rows={row.twins}
        keyOf={twin => twin.id}
        cells={twin => [twin.name, twin.id]}
      />
    </Section>
  )
}
const BrandDetail = ({ row }: { row: BrandRow }) => {
  const say = useSay()
  return (
    <Inspector title={row.name} aside={<State of={stateOf(row)} in={states} />}>
      {row.merged_into && (
        <Section title={say(['已并入', 'Merged into'])}>
          <p>
            {row.merged_into.name}
            {say(aside, { it: row.merged_into.id })}
          </p>
        </Section>
      )}
      <Twins row={row} />
      <Section title={say(['品牌', 'Brand'])}>
        <Portrait of={row.logo} label={row.name} />
        <Facts>
          <Fact label={say(['英文名', 'English name'])}>{row.en_name || '—'}</Fact>
          <Fact label={say(['首字母', 'Letter'])}>{row.initial}</Fact>
          <Fact wide label={say(['分类', 'Category'])}>
            {row.category_name}
          </Fact>
          <Fact wide label={say(['所属公司', 'Company'])}>
            {row.company || '—'}
          </Fact>
          <Fact wide label={say(['推荐城市', 'Recommended in'])}>
            {row.city_names.join(say(comma)) || say(['全国', 'The whole country'])}
          </Fact>
        </Facts>
      </Section>
      <Section title={say(['授权', 'Authorisation'])}>
        <Facts>
          <Fact label={say(['状态', 'State'])}>
            <State of={row.authorisation} in={authorised} />
          </Fact>
          {row.auth_category_ids && (
            <Fact label={say(['到期', 'Until'])}>
              {row.auth_end_at === null ? (
                say(['长期', 'No end date'])
              ) : (
                <When at={row.auth_end_at} />
              )}
            </Fact>
          )}
          {row.auth_category_names.length > 0 && (
            <Fact wide label={say(['授权分类', 'Authorised for'])}>
              {row.auth_category_names.join(say(comma))}
            </Fact>
          )}
        </Facts>
      </Section>
      {row.trademark_no && (
        <Section title={say(['商标', 'Trademark'])}>
          <Facts>
            <Fact label={say(['注册号', 'Registration'])}>
              <span className="m-num">{row.trademark_no}</span>
            </Fact>
            <Fact label={say(['有效期', 'Until'])}>
              <Expiry at={row.trademark_end_at} />
            </Fact>
            <Fact wide label={say(['类别', 'Classes'])}>
              {row.trademark_classes.map(one => say(classText(one))).join(say(comma)) || '—'}
            </Fact>
          </Facts>
        </Section>
      )}
      {row.leaves.length > 0 && (
        <Section title={say(['授权商户（{n}）', 'Merchants ({n})'], { n: row.leaves.length })}>
          <SmallTable
            head={[
              ['商户', 'Merchant'],
              ['到期', 'Until'],
            ]}
            rows={row.leaves}
            keyOf={one => one.id}
            cells={one => [one.name, <Expiry key="until" at={one.end_at} />]}
          />
        </Section>
      )}
      <Section title={say(['使用情况', 'In use'])}>
        <Facts>
          <Fact label={say(['门店', 'Stores'])}>{row.stores}</Fact>
          <Fact label={say(['在售商品', 'On sale'])}>{row.goods}</Fact>
          <Fact label={say(['关注', 'Followers'])}>{row.followers}</Fact>
          <Fact label={say(['30 天成交额', 'GMV, 30 d'])}>
            <Money cents={row.gmv_30d_cents} sign />
          </Fact>
        </Facts>
      </Section>
    </Inspector>
  )
}

const example =
  '品牌,英文名,分类,公司\n炉边,Hearth,美食 / 火锅,炉边餐饮管理有限公司\n谷雨,Guyu,谷物制品,谷雨商业有限公司'
/** Brands from pasted or uploaded lines. */
const Import = ({ close }: { close: () => void }) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [send, { isLoading }] = useWrite(calls.batchImport)
  return (
    <LinesImport<Result<typeof calls.batchImport>>
      title={say(['批量导入品牌', 'Import brands'])}
      hint={say([
        '每行：品牌名称、英文名、分类、公司。分类重名时写成“上级 / 分类”。逗号或制表符分隔，可直接从表格粘贴。',
        'A line: name, English name, category, company; “above / category” where a name stands twice. Commas or tabs; paste from a sheet.',
      ])}
      example={example}
      count={text => brandLines(text).length}
      head={[
        ['品牌', 'Brand'],
        ['分类', 'Category'],
      ]}
      cells={row => [row.name, row.category]}
      send={input => send(input, { quiet: true })}
      sending={isLoading}
      done={({ written: n }) => {
        toast(say(['已导入 {n} 个品牌', '{n} brands imported'], { n }), 'success')
        close()
      }}
      close={close}
    />
  )
}

/** The question in which order brands are recommended begins with the order that they have. */
const useArranging = () => {
  const pane = usePane()
  const { run } = useWorkbench()
  const { data } = useRead(calls.arranged, {})
  useAction(brandActions.sort, () => {
    if (!data) return
    const entries = data.list.map(({ id, name }, at) => ({ id, text: `${at + 1}. ${name}` }))
    const on: Arranged = { list_version: data.list_version, entries }
    void run(brandActions.sort, [], { pane: pane.id, on })
  })
}

/** The brands of malls, stores and goods: whose they are, what names them, which are entered twice. */
export default function Brands() {
  const say = useSay()
  const { toast } = useWorkbench()
  const list = useList(calls.lst)
  const [importing, setImporting] = useState(false)
  useAction(brandActions.batchImport, () => setImporting(true))
  useArranging()
  useExport(brandActions.export, calls.export, { list })
  useResult(brandActions.merge, ({ stores, goods }) => {
    toast(
      say(
        ['已转入 {stores} 家门店、{goods} 件商品', '{stores} stores and {goods} goods went over'],
        { stores, goods },
      ),
      'success',
    )
    return true
  })
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['品牌', 'Brands'])}
          columns={columns}
          actions={Object.values(brandActions)}
          filters={
            <>
              <Keyword of={list} placeholder={say(['名称、公司或编号', 'Name, company or ID'])} />
              <Choice of={list} by="state" label={say(['状态', 'State'])} words={brandStates} />
              <Choice
                of={list}
                by="authorisation"
                label={say(['授权', 'Authorisation'])}
                words={{ soon: authorisations.soon, ended: authorisations.ended }}
              />
              <Toggle of={list} by="recommended" label={say(['推荐', 'Recommended'])} />
              <Toggle of={list} by="alike" label={say(['疑似重复', 'Duplicates'])} />
            </>
          }
        />
        <Chosen of={list} none={say(['选择一个品牌', 'Choose a brand'])}>
          {row => <BrandDetail row={row} />}
        </Chosen>
      </ListDetail>
      {importing && <Import close={() => setImporting(false)} />}
    </>
  )
}
