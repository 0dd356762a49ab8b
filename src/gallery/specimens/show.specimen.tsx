import { Tick, WarningSign } from '@blueprintjs/icons'
import {
  Alarming,
  Badge,
  Delta,
  Fact,
  Facts,
  Keys,
  Money,
  Section,
  Span,
  When,
} from '#src/kit/show.tsx'
import { longNames } from '../rows.ts'
import type { Specimen } from '../specimen.ts'

export const specimen: Specimen = {
  part: 'show',
  title: ['标签、金额、时间', 'Tags, money, times'],
  states: [
    {
      name: ['状态标签', 'Tags of states'],
      draw: () => (
        <>
          <Badge>草稿</Badge>{' '}
          <Badge tone="good" icon={Tick}>
            已通过
          </Badge>{' '}
          <Badge tone="warn" icon={WarningSign} title="还有 2 天">
            即将到期
          </Badge>{' '}
          <Badge tone="bad">已驳回</Badge> <Badge tone="info">审核中</Badge>
        </>
      ),
    },
    {
      name: ['超出限度', 'Beyond what it may be'],
      draw: () => <Alarming title="超时 2 小时">3 小时 20 分</Alarming>,
    },
    { name: ['标签，长名称', 'A tag, a long name'], draw: () => <Badge>{longNames[0]}</Badge> },
    {
      name: ['金额：正、负、无权限', 'Money: more, less, hidden'],
      draw: () => (
        <>
          <Money cents={129_900} sign /> · <Money cents={-1250} /> · <Money cents={undefined} />
        </>
      ),
    },
    {
      name: ['变动：增、减、无', 'Changes: more, less, none'],
      draw: () => (
        <>
          <Delta of={12_345} /> · <Delta of={-165} /> · <Delta of={0} />
        </>
      ),
    },
    {
      name: ['时间：有、无、起止', 'A moment, none, a span'],
      draw: () => (
        <>
          <When at={1_795_600_000} /> · <When at={null} /> ·{' '}
          <Span from={1_795_000_000} to={1_797_000_000} />
        </>
      ),
    },
    {
      name: ['按键', 'Keys'],
      draw: () => (
        <>
          <Keys keys="⇧A" /> <Keys keys="G A B" /> <Keys keys={undefined} />
        </>
      ),
    },
    {
      name: ['事实', 'Facts'],
      draw: () => (
        <Section title="基本信息" aside={<Badge>3</Badge>}>
          <Facts>
            <Fact label="价格">12.00</Fact>
            <Fact label="地址" wide>
              {longNames[0]}
            </Fact>
          </Facts>
        </Section>
      ),
    },
  ],
}
