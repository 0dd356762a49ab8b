import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Keeps files of one project and one environment beside each other: a process goes on to the next
 * file only where that wants the same.
 */
export default class extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const groups = new Map<string, TestSpecification[]>()
    for (const file of await super.sort(files)) {
      const node = readFileSync(file.moduleId, 'utf8').includes('@vitest-environment node')
      const group = `${file.project.name} ${node}`
      groups.set(group, [...(groups.get(group) ?? []), file])
    }
    return [...groups.values()].flat()
  }
}
