import { DetailFrame, OfAddress } from '#src/kit/detailframe.tsx'
import { Badge, Fact, Facts, Section } from '#src/kit/show.tsx'
import { sort } from '../actions.ts'
import { lists } from '../answers.ts'
import { longNames } from '../rows.ts'
import type { Specimen } from '../specimen.ts'

const Whole = ({ name }: { name: string }) => (
  <DetailFrame row={{ id: 1, name }} actions={[sort]} aside={<Badge tone="good">在架</Badge>}>
    <Section title="条件">
      <Facts>
        <Fact label="每人限兑">2</Fact>
        <Fact label="可兑">120</Fact>
      </Facts>
    </Section>
    <Section title="库存流水">
      <p className="m-muted">还没有流水</p>
    </Section>
  </DetailFrame>
)
export const specimen: Specimen = {
  part: 'detailframe',
  title: ['单条记录页', 'A page of one record'],
  states: [
    { name: ['两列', 'Two columns'], draw: () => <Whole name="保温杯" />, height: 320 },
    { name: ['长名称', 'A long name'], draw: () => <Whole name={longNames[1]!} />, height: 320 },
    {
      name: ['地址里没有编号', 'No id in its address'],
      height: 200,
      draw: () => (
        <OfAddress
          call={lists.full as never}
          none={['没有指定积分商品', 'No goods named']}
          back={{ to: '/', text: ['去列表选择', 'Choose in the list'] }}
        >
          {() => null}
        </OfAddress>
      ),
    },
  ],
}
