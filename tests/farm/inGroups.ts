import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longest for their size: begun last, each would run alone at the end. */
const LONGEST = [
  'first-demo',
  'scope',
  'contract',
  'demo',
  'fuzz',
  'histories',
  'finds',
  'explain-orders',
  'matrix',
  'explain-logs',
  'demoPictures',
].map(name => `/${name}.test.ts`)
const isLong = ({ moduleId }: TestSpecification) => LONGEST.some(end => moduleId.endsWith(end))

/**
 * Keeps files of one project beside each other, as a process goes on to the next file only where
 * that is of the same; the longest first.
 */
export default class extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const groups = new Map<string, TestSpecification[]>()
    const bySize = await super.sort(files)
    const longFirst = [...bySize.filter(isLong), ...bySize.filter(file => !isLong(file))]
    for (const file of longFirst) {
      const group = file.project.name
      groups.set(group, [...(groups.get(group) ?? []), file])
    }
    return [...groups.values()].flat()
  }
}
