import { Area, AreaChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { TimeChartProps } from './time-chart-props.js';

const HOUR = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const DAY_MS = 86_400_000;
const count = (value: number): string => value.toLocaleString('en');

/** Loaded with the first chart. Default export, since that is what `lazy` takes. */
export default function TimeChartDrawing({ series, points, kind = 'lines', format = count }: TimeChartProps) {
  const span = Date.parse(points.at(-1)?.at ?? '') - Date.parse(points[0]?.at ?? '');
  const tick = (at: string): string => (span > 2 * DAY_MS ? DAY : HOUR).format(new Date(at));
  const data = points.map(({ at, values }) => ({ at, ...values }));
  return (
    <ResponsiveContainer width="100%" height="100%">
      <AreaChart data={data} margin={{ top: 6, right: 8, bottom: 0, left: -12 }} accessibilityLayer={false}>
        <CartesianGrid stroke="var(--ws-line)" vertical={false} />
        <XAxis
          dataKey="at"
          tickFormatter={tick}
          tick={{ fill: 'var(--ws-dim)', fontSize: 12 }}
          axisLine={false}
          tickLine={false}
          minTickGap={40}
        />
        <YAxis
          tick={{ fill: 'var(--ws-dim)', fontSize: 12 }}
          tickFormatter={format}
          axisLine={false}
          tickLine={false}
          allowDecimals={false}
        />
        <Tooltip
          isAnimationActive={false}
          labelFormatter={(at) => (typeof at === 'string' ? new Date(at).toLocaleString() : at)}
          formatter={(value) => format(Number(value))}
          contentStyle={{
            background: 'var(--ws-surface)',
            border: '1px solid var(--ws-line)',
            borderRadius: 8,
            color: 'var(--ws-text)',
          }}
        />
        <Legend iconType="circle" iconSize={8} />
        {series.map(({ key, label, colour }) => (
          <Area
            key={key}
            dataKey={key}
            name={label}
            type="monotone"
            stroke={`var(${colour})`}
            fill={`var(${colour})`}
            fillOpacity={kind === 'stacked' ? 0.35 : 0.1}
            strokeWidth={2}
            isAnimationActive={false}
            {...(kind === 'stacked' ? { stackId: 'all' } : {})}
          />
        ))}
      </AreaChart>
    </ResponsiveContainer>
  );
}
