type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Whether the usual variables of OpenTelemetry ask for this signal: an endpoint is set, or its exporter is named `otlp`. Off by
 * default, and with `OTEL_SDK_DISABLED=true` or `none`. Looked at before any of its packages is loaded.
 */
export function asksForOtlp(signal: 'metrics' | 'traces', variables: Variables): boolean {
  if (variables['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return false;
  const name = signal.toUpperCase();
  const exporter = variables[`OTEL_${name}_EXPORTER`];
  if (exporter !== undefined && exporter !== '')
    return exporter.split(',').some((one) => one.trim() === 'otlp');
  return Boolean(
    variables['OTEL_EXPORTER_OTLP_ENDPOINT'] || variables[`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`],
  );
}
