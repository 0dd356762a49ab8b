import { Graph } from '#src/kit/graph.tsx'
import type { Specimen } from '../specimen.ts'

const kinds = {
  payer: ['付款人', 'Payer'],
  card: ['卡', 'Card'],
  holder: ['持卡人', 'Holder'],
} as const
const cards = [1, 2, 3, 4]
export const specimen: Specimen = {
  part: 'graph',
  title: ['关系图', 'A graph'],
  states: [
    {
      name: ['付款人、卡与持卡人', 'Payers, cards and a holder'],
      draw: () => (
        <Graph
          label="关系图"
          kinds={kinds}
          nodes={[
            ...[1, 2].map(n => ({ id: `p${n}`, kind: 'payer', name: `付款人${n}`, note: '' })),
            ...cards.map(n => ({ id: `c${n}`, kind: 'card', name: `20****${n}7`, note: '已激活' })),
            { id: 'h', kind: 'holder', name: '欧阳若兰', note: '' },
          ]}
          links={cards.flatMap(n => [
            { from: `p${(n % 2) + 1}`, to: `c${n}`, what: '购买' },
            { from: `c${n}`, to: 'h', what: '持有' },
          ])}
        />
      ),
    },
  ],
}
