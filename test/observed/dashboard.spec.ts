// docker/grafana/ledger-dashboard.json against what /metrics of the whole service says.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { signUp } from '../acceptance/household.scenario.js';
import { startService, type Service } from '../acceptance/service.scenario.js';

/** Compiled tests stand in dist/test. */
const FILE = fileURLToPath(new URL('../../../docker/grafana/ledger-dashboard.json', import.meta.url));

/** Labels that Prometheus adds to whatever it is told. */
const PROMETHEUS_LABELS = ['instance', 'job'];
const KEYWORDS = new Set(['by', 'without', 'on', 'ignoring', 'and', 'or', 'unless', 'bool', 'offset']);

interface Dashboard {
  readonly templating: { readonly list: readonly { readonly definition?: string }[] };
  readonly panels: readonly {
    readonly id: number;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

describe('the Grafana dashboard', () => {
  const dashboard = JSON.parse(readFileSync(FILE, 'utf8')) as Dashboard;
  const queries = dashboard.panels.flatMap(({ targets }) => (targets ?? []).map(({ expr }) => expr));
  let service: Service;
  let exposed: ReadonlyMap<string, ReadonlySet<string>>;

  before(async () => {
    // Series with labels are there from their first observation on: a request and an append.
    service = await startService({ BACKUP_EVERY: '1d' });
    const home = await signUp(service, 'Ada');
    await home.createMonth('2026-01');
    exposed = seriesOf(await (await fetch(`${service.origin}/metrics`)).text());
  });
  after(() => service.stop());

  it('asks for nothing that is not exposed', () => {
    assert.ok(queries.length >= 12);
    for (const query of queries) {
      const { names, labels } = partsOf(query);
      assert.ok(names.length > 0, query);
      for (const name of names) {
        const known = exposed.get(name);
        assert.ok(known, `${name} is not exposed: ${query}`);
        const unknown = labels.filter(label => !known.has(label) && !PROMETHEUS_LABELS.includes(label));
        assert.deepEqual(unknown, [], query);
      }
    }
    const [variable] = dashboard.templating.list.flatMap(({ definition }) => definition ?? []);
    const [, name] = /^label_values\((\w+), instance\)$/.exec(variable ?? '') ?? [];
    assert.ok(exposed.has(name ?? ''), variable);
  });

  it('shows every metric of the service’s own', () => {
    const shown = new Set(queries.flatMap(query => partsOf(query).names).map(familyOf));
    const own = [...exposed.keys()].map(familyOf).filter(name => !/^(nodejs|process)_/.test(name));
    assert.deepEqual(
      [...new Set(own)].filter(name => !shown.has(name)),
      [],
    );
  });

  it('shows that nothing failed as zero, though no such series is there', () => {
    const shares = queries.filter(query => query.includes('status=~"5'));
    assert.ok(shares.length > 0);
    for (const query of shares) assert.match(query, /^\(.*\) or vector\(0\)\) \/ /);
  });

  it('has every panel once', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
  });
});

/** The series of an exposition with their labels. */
function seriesOf(metrics: string): Map<string, Set<string>> {
  const series = new Map<string, Set<string>>();
  for (const line of metrics.split('\n')) {
    const [, name, labels = ''] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? [];
    if (name === undefined) continue;
    const known = series.get(name) ?? new Set();
    for (const [, label] of labels.matchAll(/(\w+)="/g)) known.add(label!);
    series.set(name, known);
  }
  return series;
}

/** The metrics and the labels that a query names. */
function partsOf(query: string): { readonly names: string[]; readonly labels: string[] } {
  const labels: string[] = [];
  const bare = query
    .replace(/\{([^}]*)\}/g, (_, matchers: string) => {
      for (const [, label] of matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)) labels.push(label!);
      return '';
    })
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(?:by|without) \(([^)]*)\)/g, (_, list: string) => {
      labels.push(...list.split(',').map(label => label.trim()));
      return '';
    });
  const words = [...bare.matchAll(/[a-z_]\w*(?!\w)(?!\s*\()/g)].map(([word]) => word);
  return { names: words.filter(word => !KEYWORDS.has(word)), labels };
}

function familyOf(name: string): string {
  return name.replace(/_(bucket|sum|count)$/, '');
}
