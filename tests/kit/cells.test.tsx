import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { SmallTable } from '#src/kit/cells.tsx'
import { Fact, Facts, Money } from '#src/kit/show.tsx'

afterEach(cleanup)
test('a quantity of a small table has its thousands apart and stands right; what names something is left as it is', () => {
  render(
    <SmallTable
      head={[
        ['名称', 'Name'],
        ['编号', 'Number'],
        ['数量', 'Count'],
        ['金额', 'Sum'],
      ]}
      rows={[{ id: 1 }]}
      keyOf={row => row.id}
      cells={() => ['甲', '#1234567', 1_234_567, <Money key="m" cents={123_456_789} />]}
    />,
  )
  const cells = screen.getAllByRole('cell')
  expect(cells.map(cell => cell.textContent)).toEqual([
    '甲',
    '#1234567',
    '1,234,567',
    '1,234,567.89',
  ])
  expect(cells.map(cell => cell.dataset['align'])).toEqual([undefined, undefined, 'end', 'end'])
})

test('a fact that is a quantity has its thousands apart and keeps its decimals', () => {
  render(
    <Facts>
      <Fact label="人数">{1_234_567}</Fact>
      <Fact label="倍率">{1.2345}</Fact>
      <Fact label="编号">{'1234567'}</Fact>
    </Facts>,
  )
  const told = screen.getAllByRole('definition').map(one => one.textContent)
  expect(told).toEqual(['1,234,567', '1.2345', '1234567'])
})
