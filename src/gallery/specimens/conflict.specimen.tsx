import { FieldAnswer, ConflictDialog, RowChanges } from '#src/kit/conflict.tsx'
import { edit } from '../actions.ts'
import { longNames } from '../rows.ts'
import type { Specimen } from '../specimen.ts'

const changes = [
  { title: '名称', before: '四人餐', after: longNames[0]! },
  { title: '备注', before: null, after: '周末不可用' },
]
const { price, kind, on } = edit.asks!
const answer = (ask: typeof price, value: unknown) => (
  <FieldAnswer ask={ask!} value={value} names={{}} />
)
export const specimen: Specimen = {
  part: 'conflict',
  title: ['同时修改', 'Changed by several'],
  states: [
    {
      name: ['逐项选择', 'Chosen line by line'],
      layer: true,
      draw: close => (
        <ConflictDialog
          answer={close}
          of={{
            lines: [
              {
                name: 'price',
                label: ['价格', 'Price'],
                how: 'both',
                was: '10.00',
                theirs: '12.00',
                mine: '11.00',
              },
              {
                name: 'name',
                label: ['名称', 'Name'],
                how: 'theirs',
                was: '四人餐',
                theirs: longNames[0],
                mine: '四人餐',
              },
              { name: 'stock', label: ['库存', 'Stock'], how: 'mine', was: 3, theirs: 3, mine: 9 },
            ],
            more: changes,
          }}
        />
      ),
    },
    { name: ['行的变化', 'Changes of a row'], draw: () => <RowChanges of={changes} /> },
    {
      name: ['答案的读法', 'Answers in words'],
      draw: () => (
        <p>
          {answer(price, 1250)} · {answer(kind, 'combo')} · {answer(on, true)} ·{' '}
          {answer(price, undefined)}
        </p>
      ),
    },
  ],
}
