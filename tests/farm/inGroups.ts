import { readFileSync } from 'node:fs'
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
 * Keeps files of one project and one environment beside each other, as a process goes on to the next
 * file only where that wants the same; the longest first.
 */
export default class extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const groups = new Map<string, TestSpecification[]>()
    const bySize = await super.sort(files)
    const longFirst = [...bySize.filter(isLong), ...bySize.filter(file => !isLong(file))]
    for (const file of longFirst) {
      const node = readFileSync(file.moduleId, 'utf8').includes('@vitest-environment node')
      const group = `${file.project.name} ${node}`
      groups.set(group, [...(groups.get(group) ?? []), file])
    }
    return [...groups.values()].flat()
  }
}
