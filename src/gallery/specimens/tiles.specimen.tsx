import { Tiles } from '#src/kit/tiles.tsx'
import { Kept } from '../frame.tsx'
import { longNames, rows, type Row } from '../rows.ts'
import type { Specimen, State } from '../specimen.ts'

const tiles = (name: State['name'], of: readonly Row[]): State => ({
  name,
  height: 220,
  draw: () => (
    <Kept<number | undefined> first={of[1]?.id}>
      {(focused, focus) => (
        <Kept<ReadonlySet<number>> first={new Set([of[0]!.id])}>
          {(selected, select) => (
            <Tiles
              label="素材"
              rows={of}
              focused={focused}
              onFocus={focus}
              selected={selected}
              onSelect={(ids, on) =>
                select(
                  new Set(
                    on ? [...selected, ...ids] : [...selected].filter(id => !ids.includes(id)),
                  ),
                )
              }
              onOpen={() => undefined}
              tile={row => <b>{row.name}</b>}
            />
          )}
        </Kept>
      )}
    </Kept>
  ),
})
export const specimen: Specimen = {
  part: 'tiles',
  title: ['平铺的列表', 'Rows as tiles'],
  states: [
    tiles(['平铺', 'Tiles'], rows.slice(0, 8)),
    tiles(
      ['长名称', 'Long names'],
      longNames.map((name, at) => ({ ...rows[at]!, name })),
    ),
  ],
}
