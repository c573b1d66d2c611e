import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { monthName } from '../format/dates.js';
import { useSession } from '../shell/household-context.js';

export interface Series {
  readonly name: string;
  /** A custom property of the style sheet. */
  readonly color: '--accent' | '--plot-2' | '--plot-3';
  readonly kind: 'bars' | 'line';
  /** One a month, in minor units; null for no figure. */
  readonly values: readonly (number | null)[];
}

interface PlotProperties {
  readonly title: string;
  readonly months: readonly string[];
  readonly series: readonly Series[];
}

const HEIGHT = 260;
const BAR_PART = 0.42;
const BAR_MAX = 34;
const AXIS_WIDTH = 76;

/** A picture of amounts over months, and the same figures as a table for everybody who cannot see it. */
export function Plot({ title, months, series }: PlotProperties) {
  const { money } = useSession();
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const target = frame.current!;
    const draw = (): uPlot =>
      new uPlot(optionsFor(target, months, series, money.plain), dataOf(months, series), target);
    let plot = draw();
    const drawAgain = (): void => {
      plot.destroy();
      plot = draw();
    };
    const size = new ResizeObserver(() => {
      if (plot.width !== target.clientWidth) plot.setSize({ width: target.clientWidth, height: HEIGHT });
    });
    size.observe(target);
    // A canvas does not follow the theme by itself.
    const theme = new MutationObserver(drawAgain);
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const scheme = window.matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', drawAgain);
    return () => {
      size.disconnect();
      theme.disconnect();
      scheme.removeEventListener('change', drawAgain);
      plot.destroy();
    };
  }, [months, series, money]);
  return (
    <figure className="plot">
      <div ref={frame} role="img" aria-label={`${title}. The figures are in the table below.`} />
      <details>
        <summary>Show the figures</summary>
        <FigureTable title={title} months={months} series={series} />
      </details>
    </figure>
  );
}

function FigureTable({ title, months, series }: PlotProperties) {
  const { money } = useSession();
  return (
    <table>
      <caption className="visually-hidden">{title}</caption>
      <thead>
        <tr>
          <th scope="col">Month</th>
          {series.map(({ name }) => (
            <th key={name} scope="col" className="figure">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {months.map((month, at) => (
          <tr key={month}>
            <th scope="row">{monthName(month)}</th>
            {series.map(({ name, values }) => (
              <td key={name} className="figure">
                {values[at] === null || values[at] === undefined ? '' : money.plain(values[at])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function dataOf(months: readonly string[], series: readonly Series[]): uPlot.AlignedData {
  return [months.map((_, at) => at), ...series.map(({ values }) => [...values])];
}

function optionsFor(
  target: HTMLElement,
  months: readonly string[],
  series: readonly Series[],
  text: (minor: number) => string,
): uPlot.Options {
  const style = getComputedStyle(target);
  const colorOf = (name: string): string => resolved(target, name);
  const axis = { stroke: colorOf('--ink-soft'), font: `12px ${style.fontFamily}` };
  const grid = { stroke: colorOf('--line'), width: 1 };
  const bars = series.filter(({ kind }) => kind === 'bars').length;
  let bar = 0;
  return {
    width: target.clientWidth,
    height: HEIGHT,
    cursor: { drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: () => [-0.6, months.length - 0.4] },
      y: { range: (_, low, high) => [Math.min(low, 0), Math.max(high, 1) * 1.05] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        ticks: { show: false },
        incrs: [1, 2, 3, 4, 6, 12, 24],
        values: (_, ticks) => ticks.map(at => shortName(months[at])),
      },
      {
        ...axis,
        grid,
        ticks: { show: false },
        size: AXIS_WIDTH,
        values: (_, ticks) => ticks.map(tick => text(Math.round(tick))),
      },
    ],
    series: [
      { label: 'Month', value: (_, at) => (at === null ? '' : shortName(months[at])) },
      ...series.map(({ name, color, kind }): uPlot.Series => {
        const value = (_: uPlot, minor: number | null): string => (minor === null ? '' : text(minor));
        const stroke = colorOf(color);
        if (kind === 'line') return { label: name, value, stroke, width: 2, points: { size: 6 } };
        const align = bars === 1 ? 0 : bar++ === 0 ? -1 : 1;
        const paths = uPlot.paths.bars!({ size: [BAR_PART, BAR_MAX], align, radius: 0.15 });
        return { label: name, value, stroke, fill: stroke, width: 0, paths, points: { show: false } };
      }),
    ],
  };
}

/** `light-dark()` in a custom property stays as it is written; only a property of an element has its colour. */
function resolved(target: HTMLElement, name: string): string {
  target.style.color = `var(${name})`;
  const { color } = getComputedStyle(target);
  target.style.removeProperty('color');
  return color;
}

function shortName(month: string | undefined): string {
  if (month === undefined) return '';
  const name = new Intl.DateTimeFormat(navigator.language, {
    month: 'short',
    year: '2-digit',
    timeZone: 'UTC',
  });
  return name.format(new Date(`${month}-15T12:00:00Z`));
}
