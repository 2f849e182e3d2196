import {
  type ApprovalAnswer,
  ApprovalChannel,
  type ApprovalRequest,
  type MetricsSink,
} from '@wrongstack/contracts';

/** Counts what people are asked and what they answer: many prompts that are all answered yes are read by nobody. */
export class CountedApprovals extends ApprovalChannel {
  constructor(
    private readonly channel: ApprovalChannel,
    private readonly metrics: MetricsSink,
  ) {
    super();
  }

  override async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    this.metrics.counter('wrongstack_prompts_total');
    try {
      const answer = await this.channel.ask(request, signal);
      this.metrics.counter('wrongstack_prompt_answers_total', 1, { answer: answer.kind });
      return answer;
    } catch (error) {
      this.metrics.counter('wrongstack_prompt_answers_total', 1, { answer: 'aborted' });
      throw error;
    }
  }
}
