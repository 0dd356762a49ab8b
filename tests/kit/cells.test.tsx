import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { idColumn, numberColumn, SmallTable, Tagged } from '#src/kit/cells.tsx'
import { Badge, Fact, Facts, Money } from '#src/kit/show.tsx'
import { isFirm } from '#src/kit/usefit.ts'

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
test('a column of numbers holds quantities; the number of a row is text', () => {
  const sold = numberColumn('sold', ['已售', 'Sold'], 80)
  expect([sold.cell({ sold: 12_345 }), idColumn.cell({ id: 12_345 })]).toEqual([12_345, '12345'])
})
test('an amount of a fact has its sign; in a table of the fact its head says what it is', () => {
  render(
    <dl>
      <Fact label="预算">
        <Money cents={120_000} />
        <Money cents={-5} />
        <SmallTable
          head={[['金额', 'Sum']]}
          rows={[{ id: 1 }]}
          keyOf={row => row.id}
          cells={() => [<Money key="m" cents={300} />]}
        />
      </Fact>
    </dl>,
  )
  expect(screen.getByText('¥1,200.00')).toBeDefined()
  expect(screen.getByText('-¥0.05')).toBeDefined()
  expect(screen.getByRole('cell').textContent).toBe('3.00')
})
test('a state is not cut; a name with a badge behind it gives way to numbers', () => {
  render(
    <>
      <div data-testid="state">
        <Badge>启用</Badge>
      </div>
      <div data-testid="name">
        <Tagged name="中秋团圆家宴限定典藏版">
          <Badge>推荐</Badge>
        </Tagged>
      </div>
    </>,
  )
  expect([isFirm(screen.getByTestId('state')), isFirm(screen.getByTestId('name'))]).toEqual([
    true,
    false,
  ])
})
test('the number of a phone, an order or a card is not cut; words with a number in them are', () => {
  render(
    <>
      {['138****6052', 'EL1794936309002968', '56************93', '面值 100 元', '1 2 3'].map(
        text => (
          <div key={text} data-testid="text">
            {text}
          </div>
        ),
      )}
    </>,
  )
  expect(screen.getAllByTestId('text').map(isFirm)).toEqual([true, true, true, false, false])
})
