import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { useMemo, useState } from 'react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { action, page } from '#commands/command.ts'
import { boardUndo, listNextPage, listPreviousPage } from '#commands/list.ts'
import { Column, Columns } from '#src/kit/board-columns.tsx'
import { Board } from '#src/kit/board.tsx'
import { Shelf, usePaging } from '#src/kit/shelf.tsx'
import { Stage } from '#src/kit/stage.ts'
import { useBoard } from '#src/kit/useboard.ts'
import {
  useAction,
  PaneContext,
  PaneFocused,
  WorkbenchContext,
  type Pane,
  type Workbench,
} from '#src/kit/workbench.ts'
import { kept as drafts } from '../farm/idb-keyval.ts'

type Row = { id: number; name: string }
const names = ['甲', '乙', '丙', '丁', '戊']
const rowsOf = (ids: readonly number[]): Row[] =>
  ids.map(id => ({ id, name: names[id - 1] ?? `#${id}` }))
const boardPage = page('/manage/test/board', '推荐位', 'Board', {})
const saves = action('test.board.sort', {
  title: '调整顺序',
  en: 'Save the order',
  key: 's',
  at: boardPage,
})
const ROW = 40
// happy-dom lays nothing out: rows stand one below the other, so that what is dragged is over some
// of them.
beforeAll(() => {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (
    this: HTMLElement,
  ) {
    const at = Number(this.closest('[role=row]')?.getAttribute('aria-rowindex') ?? 1) - 1
    return {
      x: 0,
      left: 0,
      right: 300,
      width: 300,
      y: at * ROW,
      top: at * ROW,
      bottom: (at + 1) * ROW,
      height: ROW,
      toJSON: () => ({}),
    }
  })
})
const kept = new Map<string, unknown>()
const save = vi.fn<(order: number[], version: number) => Promise<unknown>>()
const refetch = vi.fn()
const toast = vi.fn()
let stage: Stage
beforeEach(() => {
  stage = new Stage()
  kept.clear()
  drafts.clear()
  localStorage.clear()
  vi.clearAllMocks()
  save.mockImplementation(async () => ({}))
})
afterEach(cleanup)
const workbench = (may: boolean) =>
  ({
    me: { id: 1, name: '周', account: 'zhou', can: () => may },
    toast,
    keysOf: () => undefined,
    ariaKeysOf: () => undefined,
  }) as unknown as Workbench
const Frame = ({ may = true, children }: { may?: boolean; children: React.ReactNode }) => {
  const pane = useMemo<Pane>(
    () => ({
      id: 'p',
      stage,
      visible: true,
      memo: { get: key => kept.get(key), set: (key, value) => void kept.set(key, value) },
    }),
    [],
  )
  return (
    <WorkbenchContext value={useMemo(() => workbench(may), [may])}>
      <PaneContext value={pane}>
        <PaneFocused value={true}>{children}</PaneFocused>
      </PaneContext>
    </WorkbenchContext>
  )
}
const List = ({ ids, version }: { ids: readonly number[]; version: number }) => {
  const rows = useMemo(() => rowsOf(ids), [ids])
  const board = useBoard<Row>({ name: 'b', rows, version, refetch, save })
  useAction(saves, () => void board.save())
  return (
    <Board
      of={board}
      label="推荐位"
      labelOf={row => row.name}
      row={row => row.name}
      saves={saves}
      theirs="李四 11-20 08:00"
    />
  )
}
const Screen = ({
  ids = [1, 2, 3, 4, 5],
  version = 7,
  may = true,
}: {
  ids?: readonly number[]
  version?: number
  may?: boolean
}) => (
  <Frame may={may}>
    <List ids={ids} version={version} />
  </Frame>
)
const shown = () =>
  screen
    .getAllByRole('row')
    .map(row => row.querySelector('.m-board-content')!.textContent)
    .join('')
const press = (key: string, more: object = {}) =>
  act(async () => {
    fireEvent.keyDown(screen.getByRole('grid'), { key, ...more })
  })
const perform = (id: string) =>
  act(async () => {
    stage.performer(id)!([])
  })
const told = () => document.querySelector('.m-sr')!.textContent
/** Takes the row by its handle and lets it go over the place of another one. */
const drag = async (from: number, to: number) => {
  const row = screen.getAllByRole('row')[from - 1]!
  const at = (place: number) => ({
    clientX: 10,
    clientY: (place - 0.5) * ROW,
    pointerId: 1,
    isPrimary: true,
    button: 0,
  })
  await act(async () => {
    fireEvent.pointerDown(row.querySelector('.m-board-handle')!, at(from))
  })
  for (const place of [from + (to > from ? 0.3 : -0.3), to])
    await act(async () => {
      fireEvent.pointerMove(document, at(place))
      await new Promise(later => setTimeout(later, 20))
    })
  await act(async () => {
    fireEvent.pointerUp(document, at(to))
    await new Promise(later => setTimeout(later, 60))
  })
}

test('Alt and an arrow, Alt+Home and Alt+End, and a number with Enter move the row; each move is told, marked, and nothing is sent until it is saved whole', async () => {
  render(<Screen />)
  await press('ArrowDown', { altKey: true })
  expect([shown(), told()]).toEqual(['乙甲丙丁戊', '甲 移到第 2 位，共 5 位，未保存'])
  await press('End', { altKey: true })
  expect(shown()).toBe('乙丙丁戊甲')
  await press('3', { code: 'Digit3' })
  await press('Enter')
  expect(shown()).toBe('乙丙甲丁戊')
  expect(screen.getAllByRole('row')[2]!.textContent).toContain('原第 1')
  expect([save.mock.calls, screen.getByText('未保存：移动了 1 项') !== null]).toEqual([[], true])
  await perform(saves.id)
  expect(save.mock.calls).toEqual([[[2, 3, 1, 4, 5], 7]])
  expect(screen.queryByText(/^未保存：/)).toBeNull()
})
test('dragged by its handle a row goes to the place it is let go over, with the same marks and the same save', async () => {
  render(<Screen />)
  await drag(1, 4)
  expect([shown(), told()]).toEqual(['乙丙丁甲戊', '甲 移到第 4 位，共 5 位，未保存'])
  await drag(5, 1)
  expect(shown()).toBe('戊乙丙丁甲')
  await perform(boardUndo.id)
  expect(shown()).toBe('乙丙丁甲戊')
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: '保存顺序' }))
  })
  expect(save.mock.calls).toEqual([[[2, 3, 4, 1, 5], 7]])
})
test('let go where it was, or moved by a person without the right, nothing changes, and it is said why', async () => {
  const { unmount } = render(<Screen />)
  await drag(2, 2)
  expect([shown(), screen.queryByText(/^未保存：/)]).toEqual(['甲乙丙丁戊', null])
  unmount()
  render(<Screen may={false} />)
  await drag(1, 3)
  await press('ArrowDown', { altKey: true })
  expect([shown(), told()]).toEqual(['甲乙丙丁戊', '没有调整顺序的权限'])
})
test('when somebody else saved another order both are shown and nothing is sent until one is chosen; mine is then saved on the newer list', async () => {
  const { rerender } = render(<Screen />)
  await press('ArrowDown', { altKey: true })
  rerender(<Screen ids={[5, 1, 2, 3, 4]} version={8} />)
  const panel = screen.getByRole('alert')
  expect(panel.textContent).toContain('李四 11-20 08:00')
  expect(
    within(panel)
      .getAllByRole('list')
      .map(list =>
        within(list)
          .getAllByRole('listitem')
          .map(item => item.textContent)
          .join(''),
      ),
  ).toEqual(['乙甲丙丁戊', '戊甲乙丙丁'])
  await perform(saves.id)
  expect([save.mock.calls, toast.mock.calls[0]![0]]).toEqual([[], '请先选择保留哪个顺序'])
  await act(async () => {
    fireEvent.click(within(panel).getByRole('button', { name: '保留我的并保存' }))
  })
  expect(save.mock.calls).toEqual([[[2, 1, 3, 4, 5], 8]])
  rerender(<Screen ids={[2, 1, 3, 4, 5]} version={9} />)
  expect([screen.queryByRole('alert'), shown()]).toEqual([null, '乙甲丙丁戊'])
})
test('taking theirs throws my moves away, and leaves the focus on the rows', async () => {
  const { rerender } = render(<Screen />)
  await press('ArrowDown', { altKey: true })
  rerender(<Screen ids={[5, 1, 2, 3, 4]} version={8} />)
  const take = screen.getByRole('button', { name: '采用现在的' })
  take.focus()
  await act(async () => {
    fireEvent.click(take)
  })
  expect(document.activeElement).toBe(screen.getByRole('grid'))
  expect([
    shown(),
    screen.queryByRole('alert'),
    screen.queryByText(/^未保存：/),
    save.mock.calls,
  ]).toEqual(['戊甲乙丙丁', null, null, []])
})
test('a save refused as stale keeps my moves and fetches the newer list; rows that came and went are taken in without a question', async () => {
  const { rerender } = render(<Screen />)
  await press('ArrowDown', { altKey: true })
  save.mockRejectedValueOnce({ status: 409, message: '列表已变化' })
  await perform(saves.id)
  expect([refetch.mock.calls.length, shown()]).toEqual([1, '乙甲丙丁戊'])
  // One left and one came; what both have stands as it did.
  rerender(<Screen ids={[1, 2, 3, 4, 6]} version={8} />)
  expect([screen.queryByRole('alert'), shown()]).toEqual([null, '乙甲丙丁#6'])
  await perform(saves.id)
  expect(save.mock.calls.at(-1)).toEqual([[2, 1, 3, 4, 6], 8])
})
test('moves that are not saved stay with the pane', async () => {
  const { unmount } = render(<Screen />)
  await press('End', { altKey: true })
  unmount()
  render(<Screen />)
  expect([shown(), screen.getByText('未保存：移动了 1 项') !== null]).toEqual(['乙丙丁戊甲', true])
})
test('a closed pane asks about them: kept they come back where the list is opened again, thrown away they do not; saved nothing is asked', async () => {
  const reopened = async () => {
    for (const one of stage.unsaved) stage.letGo(one)
    cleanup()
    kept.clear()
    render(<Screen />)
    await act(async () => {})
  }
  render(<Screen />)
  expect(stage.unsaved).toEqual([])
  await press('End', { altKey: true })
  expect(stage.unsaved.map(one => one.stays)).toEqual([true])
  await reopened()
  await waitFor(() => expect(shown()).toBe('乙丙丁戊甲'))
  await act(async () => {
    stage.unsaved[0]!.discard()
  })
  expect([shown(), stage.unsaved]).toEqual(['甲乙丙丁戊', []])
  await reopened()
  expect(shown()).toBe('甲乙丙丁戊')
  await press('End', { altKey: true })
  await perform(saves.id)
  expect(stage.unsaved).toEqual([])
})
test('of two boards side by side each keeps its own with the pane', async () => {
  const Two = () => (
    <Frame>
      <Columns widths="1fr 1fr" first="a">
        {['a', 'b'].map(name => (
          <Column key={name} name={name} title={name}>
            <Named name={name} />
          </Column>
        ))}
      </Columns>
    </Frame>
  )
  const { unmount } = render(<Two />)
  for (const name of ['a', 'b'])
    await act(async () => {
      fireEvent.keyDown(screen.getByRole('grid', { name }), { key: 'End', altKey: true })
    })
  unmount()
  render(<Two />)
  expect(screen.getAllByText('未保存：移动了 1 项')).toHaveLength(2)
})
const Named = ({ name }: { name: string }) => {
  const rows = useMemo(() => rowsOf([1, 2, 3]), [])
  const board = useBoard<Row>({ name, rows, version: 1, refetch, save })
  return (
    <Board of={board} label={name} labelOf={row => row.name} row={row => row.name} saves={saves} />
  )
}

const Candidates = ({ all, word }: { all: readonly number[]; word: string }) => {
  const { turn, page: at, pageSize } = usePaging(word, 2)
  const rows = useMemo(
    () => rowsOf(all.slice((at - 1) * pageSize, at * pageSize)),
    [all, at, pageSize],
  )
  return (
    <Columns widths="1fr" first="shelf">
      <Column name="shelf" title="候选">
        <Shelf<Row>
          name="s"
          label="候选"
          of={{ rows, refetch }}
          labelOf={row => row.name}
          row={row => row.name}
          paging={{ page: at, pageSize, turn, total: all.length }}
        />
      </Column>
    </Columns>
  )
}
test('every candidate is reached, page by page, by keys and by button; a search begins at the first page', async () => {
  const Choosing = () => {
    const [word, search] = useState('')
    const [all, setAll] = useState<readonly number[]>([1, 2, 3, 4, 5])
    return (
      <Frame>
        <Candidates all={all} word={word} />
        <button type="button" onClick={() => search('戊')}>
          search
        </button>
        <button type="button" onClick={() => setAll([1, 2, 3, 4])}>
          fewer
        </button>
      </Frame>
    )
  }
  render(<Choosing />)
  expect([shown(), screen.getByText('第 1–2 个，共 5 个') !== null]).toEqual(['甲乙', true])
  await perform(listNextPage.id)
  expect([
    shown(),
    screen.getAllByRole('row')[0]!.getAttribute('aria-rowindex'),
    screen.getAllByRole('row')[0]!.getAttribute('data-focused'),
  ]).toEqual(['丙丁', '3', 'true'])
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: '下一页' }))
  })
  await perform(listNextPage.id)
  expect(shown()).toBe('戊')
  // The last one was taken: the page before it is the last now.
  await act(async () => {
    fireEvent.click(screen.getByText('fewer'))
  })
  expect(shown()).toBe('丙丁')
  await perform(listPreviousPage.id)
  expect(shown()).toBe('甲乙')
  await perform(listNextPage.id)
  await act(async () => {
    fireEvent.click(screen.getByText('search'))
  })
  expect(shown()).toBe('甲乙')
})

test('what is moved back and saved before the list tells of the last save is moved from that save, and sent with the version it comes with', async () => {
  const { rerender } = render(<Screen />)
  await press('ArrowDown', { altKey: true })
  await perform('test.board.sort')
  expect(save).toHaveBeenLastCalledWith([2, 1, 3, 4, 5], 7)
  await press('ArrowUp', { altKey: true })
  expect(shown()).toBe('甲乙丙丁戊')
  expect(screen.getByText(/未保存：移动了 1 项/)).toBeTruthy()
  await perform('test.board.sort')
  expect(save).toHaveBeenCalledTimes(1)
  rerender(<Screen ids={[2, 1, 3, 4, 5]} version={8} />)
  await waitFor(() => expect(save).toHaveBeenLastCalledWith([1, 2, 3, 4, 5], 8))
  await waitFor(() => expect(screen.queryByText(/^未保存：/)).toBeNull())
  expect(shown()).toBe('甲乙丙丁戊')
})

test('an order that somebody else saved right after mine is not undone by what waited', async () => {
  const { rerender } = render(<Screen />)
  await press('ArrowDown', { altKey: true })
  await perform('test.board.sort')
  await press('ArrowUp', { altKey: true })
  await perform('test.board.sort')
  rerender(<Screen ids={[5, 2, 1, 3, 4]} version={9} />)
  await waitFor(() => expect(screen.getByText(/李四 11-20 08:00/)).toBeTruthy())
  expect(save).toHaveBeenCalledTimes(1)
})
