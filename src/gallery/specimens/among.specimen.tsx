import { Among, AmongOptions } from '#src/kit/among.tsx'
import { lists } from '../answers.ts'
import { Filtered } from '../frame.tsx'
import { longNames } from '../rows.ts'
import type { Specimen } from '../specimen.ts'

const options = [
  { value: 1, label: '长春', latin: 'changchun' },
  { value: 2, label: longNames[0]!, latin: 'neimenggu' },
]
export const specimen: Specimen = {
  part: 'among',
  title: ['从许多中选一个', 'One of many'],
  states: [
    {
      name: ['由服务器查找', 'Found by the server'],
      draw: () => (
        <Filtered>
          {of => <Among of={of} by="id" label="商品" find={lists.full} labelOf={row => row.name} />}
        </Filtered>
      ),
    },
    {
      name: ['没有匹配', 'No match'],
      draw: () => (
        <Filtered>
          {of => (
            <Among of={of} by="id" label="门店" find={lists.empty} labelOf={row => row.name} />
          )}
        </Filtered>
      ),
    },
    {
      name: ['给定的选项', 'Options given'],
      draw: () => (
        <Filtered>{of => <AmongOptions of={of} by="id" label="城市" options={options} />}</Filtered>
      ),
    },
    {
      name: ['已选，名称很长', 'Chosen, a long name'],
      draw: () => (
        <Filtered first={{ id: 2 }}>
          {of => <AmongOptions of={of} by="id" label="城市" options={options} />}
        </Filtered>
      ),
    },
  ],
}
